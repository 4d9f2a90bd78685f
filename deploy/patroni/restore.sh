#!/bin/sh
# /etc/patroni/restore.sh, mode 0755: copies a base backup to the data directory. Patroni starts PostgreSQL on it, which replays
# the archive. See restore.yml.
#   restore.sh <folder of the base backup> --scope=<cluster> --datadir=<data directory>
set -eu
backup=$1
shift
for parameter in "$@"; do
  case $parameter in --datadir=*) data=${parameter#--datadir=} ;; esac
done
test -f "$backup/backup_manifest" || { echo "$backup is no base backup of pg_basebackup" >&2; exit 1; }
rm -rf "${data:?no --datadir was given}"
cp -R "$backup" "$data"
chmod 0700 "$data"
