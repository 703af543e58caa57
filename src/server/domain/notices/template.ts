/** The occasions on which somebody is told something: the identifiers of templates. */
export type Occasion =
  'task_assigned' | 'test_case_assigned' | 'comment_added' | 'ticket_answered' | 'task_deadline' | 'announcement';

/** Replaces `{{name}}` by its value. What has no value leaves nothing, and a value is never looked at for placeholders. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name: string) => (Object.hasOwn(values, name) ? values[name]! : ''));
}
