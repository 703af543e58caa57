import { runStatement } from '../../server/database/database';
import type { Hook } from '../../server/program';
import { sendNotifications } from '../../server/notifications/send-notifications';
import { companyOf } from '../../engine/definitions/accessors';

/** The resources with comments, by the relation of the comment. */
const commentedResources = [
  { relation: 'task_id', resource: 'tasks', table: 'tasks' },
  { relation: 'test_case_id', resource: 'test-cases', table: 'test_cases' },
] as const;

interface CommentedRecord {
  readonly name: string;
  readonly project_id: number;
  readonly created_by: number | null;
  readonly assigned_to: number | null;
}

/**
 * afterSave of comments: notifies the creator and the assignee of the commented record, except for the author of the
 * comment.
 */
export const notifyCommented: Hook = async ({ program, trx, actor, previousRow, values }) => {
  const commentedResource = commentedResources.find(({ relation }) => typeof values[relation] === 'number');
  if (previousRow || !commentedResource) return;
  const id = values[commentedResource.relation] as number;
  const [subject] = await runStatement<CommentedRecord>(trx, {
    sql: `select name, project_id, created_by, assigned_to from public.${commentedResource.table} where id = $1`,
    parameters: [id],
  });
  if (!subject) return;
  await sendNotifications(program, trx, {
    occasion: 'comment_added',
    company: companyOf(values),
    recipients: [subject.created_by, subject.assigned_to].filter((user) => user !== actor.id),
    audience: subject.project_id,
    link: `/${commentedResource.resource}/${id}`,
    actor: actor.id,
    values: { title: subject.name, text: String(values.comments) },
  });
};
