import type { FileValue } from '../../engine/field-types/stored-files';
import type { Comment, CommentVersion, Person } from '../../engine/comments/comment';
import { fetchApi, requestApi } from '../session/api';

/** The user's notifications about a record: of comments, and for its watchers also of changes. */
export interface Watch {
  readonly state: 'watching' | 'muted' | null;
  /** Whether they are told of new comments. */
  readonly watching: boolean;
  /** The people who watch it, the first by name. */
  readonly watchers: readonly Person[];
}

/** A comment as sent. */
export interface CommentInput {
  readonly text: string;
  readonly mentions: readonly number[];
  /** All its files; those that are new were uploaded before. */
  readonly files: readonly FileValue[];
}

/** A new comment as sent. */
export interface NewCommentInput extends CommentInput {
  /** Only those read it who read internal comments. */
  readonly internal?: boolean;
}

/** The record that comments are about. */
export interface Subject {
  readonly resource: string;
  readonly id: number;
}

/** The first part of the keys of all queries about comments: the name of the server's events about them. */
export const commentsKey = 'record-comments';
const pageSize = 50;

const pathOf = ({ resource, id }: Subject, rest: string) => `/${resource}/${id}/${rest}`;
const data = async <T>(path: string, init: Parameters<typeof fetchApi>[1] = {}) =>
  (await fetchApi<{ data: T }>(path, init)).data;

/** Where a file for a comment on a record is uploaded. */
export const uploadPath = (subject: Subject) => pathOf(subject, 'comments/files');

/** A page of comments, newest first, and how many there are. */
export async function fetchComments(
  subject: Subject,
  start: number,
  signal?: AbortSignal,
): Promise<{ comments: readonly Comment[]; total: number }> {
  const range = encodeURIComponent(JSON.stringify([start, start + pageSize - 1]));
  const response = await requestApi(pathOf(subject, `comments?range=${range}`), { signal });
  const { data: comments } = (await response.json()) as { data: Comment[] };
  const total = Number(response.headers.get('Content-Range')?.split('/').pop());
  return { comments, total: Number.isInteger(total) ? total : comments.length };
}

export const addComment = (subject: Subject, json: NewCommentInput) =>
  data<Comment>(pathOf(subject, 'comments'), { method: 'POST', json });

export const changeComment = (subject: Subject, comment: number, json: CommentInput) =>
  data<Comment>(pathOf(subject, `comments/${comment}`), { method: 'PUT', json });

export const deleteComment = (subject: Subject, comment: number) =>
  data<Comment>(pathOf(subject, `comments/${comment}`), { method: 'DELETE' });

export const restoreComment = (subject: Subject, comment: number) =>
  data<Comment>(pathOf(subject, `comments/${comment}/restore`), { method: 'PATCH' });

export const fetchVersions = (subject: Subject, comment: number, signal?: AbortSignal) =>
  data<readonly CommentVersion[]>(pathOf(subject, `comments/${comment}/versions`), { signal });

export const fetchMentionable = (
  subject: Subject,
  { q, isInternal }: { q: string; isInternal: boolean },
  signal?: AbortSignal,
) =>
  data<readonly Person[]>(pathOf(subject, `mentionable?q=${encodeURIComponent(q)}${isInternal ? '&internal=1' : ''}`), {
    signal,
  });

export const fetchWatch = (subject: Subject, signal?: AbortSignal) => data<Watch>(pathOf(subject, 'watch'), { signal });

export const storeWatch = (subject: Subject, state: Watch['state']) =>
  data<Watch>(pathOf(subject, 'watch'), { method: 'PUT', json: { state } });
