import { unknownPropertyMessage } from '../../engine/validation/messages';
import type { FieldErrors } from '../../engine/validation/validate-values';
import { Invalid } from '../errors/errors';

/** A message to many users. */
export interface Announcement {
  readonly title: string;
  readonly content: string;
  readonly role_ids: readonly number[];
  readonly user_ids: readonly number[];
}

const names = ['title', 'content', 'role_ids', 'user_ids'];
const longest = { title: 200, content: 5000 } as const;
/** Reads a body. Throws Invalid with all wrong fields at once. */
export function readAnnouncement(values: Readonly<Record<string, unknown>>): Announcement {
  const errors: FieldErrors = {};
  for (const name of Object.keys(values)) if (!names.includes(name)) errors[name] = unknownPropertyMessage(name);
  const text = (name: 'title' | 'content', label: string): string => {
    const value = typeof values[name] === 'string' ? values[name].trim() : '';
    if (value === '') errors[name] = `${label} is required.`;
    else if (value.length > longest[name]) errors[name] = `${label} must have at most ${longest[name]} characters.`;
    return value;
  };
  const ids = (name: 'role_ids' | 'user_ids', label: string): number[] => {
    const value = values[name] ?? [];
    if (Array.isArray(value) && value.length <= 10_000 && value.every((id) => Number.isSafeInteger(id)))
      return value as number[];
    errors[name] = `${label} must be a list of ids.`;
    return [];
  };
  const read = {
    title: text('title', 'Title'),
    content: text('content', 'Content'),
    role_ids: ids('role_ids', 'Roles'),
    user_ids: ids('user_ids', 'Users'),
  };
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return read;
}
