/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a program's text (text_begin.h): words of OpenCL C are CUDA's again.
 */
#undef static
#undef global
#undef local
#undef private
#undef constant
#undef restrict
#undef barrier
