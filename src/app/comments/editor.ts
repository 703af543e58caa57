import { lazyComponent } from '../states/lazyComponent';

/** The editor of comments. It is large, and loaded when somebody begins to write. */
export const CommentEditor = lazyComponent(() =>
  import('./CommentEditor').then((module) => ({ default: module.CommentEditor })),
);
