import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useState } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import type { Comment, Person } from '../../engine/comments/comment';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { reportError } from '../data/ErrorToasts';
import { useChangeToast } from '../commands/useChangeToast';
import { readSession } from '../session/session';
import {
  addComment,
  changeComment,
  commentsKey,
  deleteComment,
  fetchComments,
  restoreComment,
  type CommentInput,
  type NewCommentInput,
  type Subject,
} from './api';

type Page = Awaited<ReturnType<typeof fetchComments>>;

/** A comment on its way: shown like the others until the server's is among them. */
interface Sent {
  readonly comment: Comment;
  /** The id that it was stored under. */
  readonly storedId?: number;
}

/** The id of a comment that is being sent: no stored one has it. */
export const sendingId = -1;

/**
 * The comments on a record, newest first, the one that is being sent included, as far as they were loaded, and what the user may do with them. A refusal by
 * the server is shown. `onRemoved` is called when one was removed, whose button had the focus.
 *
 * @example const { comments, add } = useComments(definition, record, () => heading.current?.focus());
 */
export function useComments(definition: Definition, record: ResourceRecord, onRemoved: () => void) {
  const { actor } = useDefinitions();
  const id = Number(record.id);
  const subject: Subject = { resource: definition.name, id };
  const key = [commentsKey, definition.name, id];
  const queryClient = useQueryClient();
  const query = useInfiniteQuery({
    enabled: definition.comments !== null,
    queryKey: [...key, 'list'],
    queryFn: ({ pageParam, signal }) => fetchComments(subject, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loadedCount = pages.reduce((sum, { comments }) => sum + comments.length, 0);
      return last.comments.length > 0 && loadedCount < last.total ? loadedCount : undefined;
    },
    retry: false,
    meta: { quiet: true },
  });
  // A comment that was added meanwhile moves the others to the next page, where they come again.
  const loadedComments = query.data?.pages.flatMap((page) => page.comments);
  const sayChanged = useChangeToast();
  const [sentComment, setSentComment] = useState<Sent>();
  const refresh = () => queryClient.invalidateQueries({ queryKey: key });
  /** Does what changes comments; says what the server refuses. */
  const run = async (change: () => Promise<unknown>): Promise<boolean> => {
    try {
      await change();
      return true;
    } catch (failure) {
      reportError(failure as Error);
      return false;
    } finally {
      await refresh();
    }
  };
  /** A new comment is shown at once; what the server refuses is no longer. */
  const add = async (input: NewCommentInput): Promise<boolean> => {
    const comment = provisional(input, { id: actor.id, name: readSession()?.user.name ?? '' }, loadedComments?.[0]);
    setSentComment({ comment });
    try {
      const storedComment = await addComment(subject, input);
      setSentComment({ comment, storedId: storedComment.id });
      queryClient.setQueryData<InfiniteData<Page>>([...key, 'list'], (data) => data && withFirst(data, storedComment));
    } catch (failure) {
      setSentComment(undefined);
      reportError(failure as Error);
      void refresh();
      return false;
    }
    await refresh();
    setSentComment(undefined);
    return true;
  };
  const remove = async (comment: Comment) => {
    if (!(await run(() => deleteComment(subject, comment.id)))) return;
    onRemoved();
    sayChanged('Comment deleted', () => void run(() => restoreComment(subject, comment.id)));
  };
  const mayWrite =
    definition.comments !== null &&
    isGranted(actor, definition.name, definition.comments.write) &&
    !actor.viewer &&
    !record.archived_at;
  const isOnItsWay =
    sentComment !== undefined && !loadedComments?.some((loadedComment) => loadedComment.id === sentComment.storedId);
  return {
    subject,
    query,
    comments: loadedComments && [
      ...(isOnItsWay ? [sentComment.comment] : []),
      ...new Map(loadedComments.map((loadedComment) => [loadedComment.id, loadedComment])).values(),
    ],
    total: query.data?.pages[0]?.total,
    mayWrite,
    add,
    change: ({ id: comment }: Comment, input: CommentInput) => run(() => changeComment(subject, comment, input)),
    remove: (comment: Comment) => void remove(comment),
  };
}

/** A comment as it will look. It is the newest also where this computer's clock is behind. */
function provisional(
  { text, files, internal = false }: NewCommentInput,
  user: Person,
  newest: Comment | undefined,
): Comment {
  const now = new Date().toISOString();
  const created_at = newest && newest.created_at > now ? newest.created_at : now;
  return {
    id: sendingId,
    text,
    user,
    mentions: [],
    files,
    internal,
    created_at,
    edited_at: null,
    may_edit: false,
    may_delete: false,
  };
}

function withFirst({ pages, pageParams }: InfiniteData<Page>, comment: Comment): InfiniteData<Page> {
  const [first, ...rest] = pages;
  if (!first || first.comments.some(({ id }) => id === comment.id)) return { pages, pageParams };
  return { pages: [{ comments: [comment, ...first.comments], total: first.total + 1 }, ...rest], pageParams };
}
