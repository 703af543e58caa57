import type { Migration } from './migration';

/**
 * Changes of records that somebody watches, until those who watch them are told: which entry of the history, and in which
 * transaction. Every way to change a record adds to the history, so the history notes them, with one look into an index
 * for each entry. A notification that tells of changes says since which entry and whose; and each says in which
 * transaction it was made, so that nobody is told twice of one change.
 */
export const watchedChanges: Migration = {
  name: '0100-watched-changes',
  sql: `
    create table assay.watched_changes (
      history_id bigint primary key,
      made_in xid8 not null default pg_current_xact_id()
    );
    create function assay.note_watched_changes() returns trigger language plpgsql as $$
    begin
      insert into assay.watched_changes (history_id)
        select n.id from added n where n.event not in ('created', 'deleted') and exists (
          select from assay.watches w
          where w.resource = n.resource and w.record_id = n.record_id and w.state = 'watching')
        on conflict do nothing;
      return null;
    end $$;
    create trigger note_watched_changes after insert on assay.history referencing new table as added
      for each statement execute function assay.note_watched_changes();
    alter table assay.notifications add column changes_from bigint;
    alter table assay.notifications add column changed_by integer;
    alter table assay.notifications add column made_in xid8;
    alter table assay.notifications alter column made_in set default pg_current_xact_id();
  `,
};
