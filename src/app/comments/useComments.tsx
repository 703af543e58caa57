import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { isGranted } from '../../engine/access/access-decision';
import type { Comment } from '../../engine/comments/comment';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../admin/DefinitionsContext';
import { reportError } from '../admin/ErrorToasts';
import { useChangeToast } from '../commands/useChangeToast';
import {
  addComment,
  changeComment,
  commentsKey,
  deleteComment,
  fetchComments,
  restoreComment,
  type CommentInput,
  type Subject,
} from './api';

/**
 * The comments on a record, newest first, as far as they were loaded, and what the user may do with them. What the server
 * refuses is said. `onRemoved` is called when one was removed, whose button had the focus.
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
      const shown = pages.reduce((sum, { comments }) => sum + comments.length, 0);
      return last.comments.length > 0 && shown < last.total ? shown : undefined;
    },
    retry: false,
    meta: { quiet: true },
  });
  const sayChanged = useChangeToast();
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
  // A comment that was added meanwhile moves the others to the next page, where they come again.
  const found = query.data?.pages.flatMap((page) => page.comments);
  return {
    subject,
    query,
    comments: found && [...new Map(found.map((one) => [one.id, one])).values()],
    total: query.data?.pages[0]?.total,
    mayWrite,
    add: (input: CommentInput) => run(() => addComment(subject, input)),
    change: ({ id: comment }: Comment, input: CommentInput) => run(() => changeComment(subject, comment, input)),
    remove: (comment: Comment) => void remove(comment),
  };
}
