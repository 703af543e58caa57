import type { Migration } from './migration';

/** A text without markup and white space, as far as it can be compared. */
const plain = (column: string) =>
  `regexp_replace(replace(replace(replace(replace(replace(regexp_replace(${column}, '<[^<>]*>', '', 'g'),
    '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&nbsp;', ''), '&amp;', '&'), '[\\s\\u00a0]', '', 'g')`;

const near = (column: string) =>
  `c.${column} between about.created_at - interval '1 minute' and about.created_at + interval '1 minute'`;

/**
 * Links notifications from before 0104 with their comments where that is certain: one comment on the record was written
 * at that minute, and the notification ends with its text. The text of the others is removed: their comment may have been
 * deleted, and nobody could tell any more.
 */
export const linkedNotices: Migration = {
  name: '0107-linked-notices',
  sql: `
    with about as materialized (
      select n.id, n.created_at, ${plain('n.content')} as content,
        split_part(n.link, '/', 2) as resource, split_part(n.link, '/', 3)::integer as record_id
      from assay.notifications n
      where n.comment_id is null and n.content is not null and n.link ~ '^/[a-z][a-z0-9-]*/[0-9]{1,9}$'
        and (n.occasion in ('record_commented', 'record_mentioned')
          or (n.occasion is null and n.title ~ ' (commented on|mentioned you in) '))
    ), proved as (
      select about.id, min(c.id) as comment_id
      from about join assay.comments c on c.resource = about.resource and c.record_id = about.record_id
        and (${near('created_at')} or ${near('edited_at')})
      where ${plain('c.text')} <> '' and right(about.content, length(${plain('c.text')})) = ${plain('c.text')}
      group by about.id having count(*) = 1
    )
    update assay.notifications n
    set comment_id = proved.comment_id, content = case when proved.comment_id is not null then n.content end
    from about left join proved on proved.id = about.id
    where n.id = about.id;`,
};
