import { lazyComponent } from '../states/lazyComponent';

/** The files of a comment: pictures as such, others by name; each opens its preview. */
export const CommentFiles = lazyComponent(() =>
  import('./CommentFiles').then((module) => ({ default: module.CommentFiles })),
);

/** The editor of comments. It is large, and loaded when somebody begins to write. */
export const CommentEditor = lazyComponent(() =>
  import('./CommentEditor').then((module) => ({ default: module.CommentEditor })),
);
