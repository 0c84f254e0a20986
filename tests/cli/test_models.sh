#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# SPIN checks the models: right variants hold, and planted bugs are found. Of right variants whose verifier runs long, smaller
# ones; scripts/models.sh --full checks all.
source "${SOURCE_DIR:?}/tests/cli/lib.sh"
command -v spin >/dev/null || {
  echo "skipped: spin is not installed"
  exit 77
}
models=$SOURCE_DIR/scripts/models.sh

check_exit 0 "$models"
check_stdout '^[0-9]+ models, .* planted bugs were found'

# of_queue EXPRESSION: models/queue.pml with one bug, changed by sed.
of_queue() { sed -e '/^ \* \(bug\|live\|stuck\) /{/-DUNWRITTEN/!d}' -e "$1" "$SOURCE_DIR/models/queue.pml"; }

# A bug that is no longer planted is not found, and an error of a right variant fails.
of_queue 's/#ifdef UNWRITTEN/#ifdef NEVER/' >neutered.pml
check_exit 1 "$models" neutered.pml
check_stdout '2 of 2 right variants hold, 0 of 1 planted bugs'
check_stdout '^FAILED: neutered bug -DUNWRITTEN .*: NOT FOUND'

of_queue 's/#ifdef UNREAD/#ifndef UNREAD/' >wrong.pml
check_exit 1 "$models" wrong.pml
check_stdout '^FAILED: wrong check: error found'

# live_queue EXPRESSION: the same of what may go on for ever.
live_queue() { sed -e '/^ \* \(bug\|check\) /d' -e "$1" "$SOURCE_DIR/models/queue.pml"; }

# The same of one that is found only because all wait for ever, and of one that is not only that.
live_queue 's/defined(RETURNED)/defined(NEVER)/' >neutered.pml
check_exit 1 "$models" neutered.pml
check_stdout '2 of 2 right variants hold, 0 of 1 planted bugs'
check_stdout '^FAILED: neutered stuck -DRETURNED: NOT FOUND'

live_queue '/^ \* live /s/$/ -DRETURNED/; s/-DRETURNED:/-DUNLAPPED:/' >wrong.pml
check_exit 1 "$models" --jobs 1 wrong.pml
check_stdout '^FAILED: wrong live -DRETURNED: error found'
check_stdout '^FAILED: wrong stuck -DUNLAPPED: error found'

# A model without checks is none that holds.
of_queue '/^ \* \(check\|bug\|live\|stuck\) /d' >empty.pml
check_exit 1 "$models" empty.pml
check_stdout "^FAILED: .*empty.pml has no line 'check quick"

check_exit 2 "$models" nosuch
check_stderr 'There is no model .*nosuch.*queue'
check_exit 2 "$models" --jobs 0
check_stderr '^usage: '
check_exit 2 "$models" --nosuch
check_stderr '^usage: '
