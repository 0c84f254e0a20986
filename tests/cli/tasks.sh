# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The plain kernels of tests/fixtures/tasks, of different kinds, with sizes and arguments.

# every_task: calls task() with each: NAME OFFSET GLOBAL LOCAL ARGUMENT...
every_task() {
  task saxpy 0 3000 8 float:1.5 floats:3000 floats:3000
  task saxpy 7 96 1 float:-2 floats:110 floats:110
  task stencil 0 64x48 16x4 floats:3072 zeros:3072 uint:61 uint:45
  task stencil3d 0 12x10x6 4x5x2 uints:720 zeros:720
  task reduction 0 1024 64 uints:1024 zeros:16 local:256
  task scan 0 640 64 uints:640 zeros:640
  task nbody 0 96 32 floats:768 zeros:768 float:0.01
  task mandelbrot 0 40x30 8x2 zeros:300 uint:60
  task fft 0 256 16 floats:1024 zeros:1024 uint:8
  task bitonic 0 512 32 uints:512 uint:64 uint:16
  task sort_local 0 240 48 uints:240
  task histogram 0 96 24 uints:5000 zeros:32 uint:5000
  task transpose 0 48x32 8x8 uints:1536 zeros:1536 uint:48 uint:32
  task matrix 0 32x24 8x8 floats:768 floats:1024 zeros:768 uint:32
  task game_of_life 0 32x20 4x4 uints:160 zeros:160
  task black_scholes 0 300 10 floats:1200 zeros:600 float:0.03
  task spmv 0 128 16 uints:129 uints:16 floats:16 floats:128 zeros:128
  task random_walk 0 100 20 zeros:100 uint:50
  task matrix_vector 0 16x9 16x1 floats:900 floats:100 zeros:9 uint:100 local:64
  task prefix_compact 0 400 40 uints:400 zeros:400 zeros:10
  task offsets 3x5x7 6x4x10 3x2x5 zeros:240
  task offsets 9 60 4 zeros:60
  task ping_pong 0 96 16 uints:96 zeros:96 uint:5 words:2
  task shadows 0 64 16 zeros:64
  task fractions 0 96 32 zeros:96 floats:96 uint:4
  task helpers 0 128 16 uints:128 zeros:128 local:64
  task helpers 0 96 8 uints:96 zeros:96 local:64
  task hidden 0 128 16 uints:128 zeros:128
  task chosen 0 96 24 uints:96
  task copies 0 120 24 uints:200 zeros:120 local:96
  task calls 0 128 16 uints:128 uint:5
}
