import { lazyComponent } from '../states/lazyComponent';

/** The files of a comment; each opens its preview. */
export const CommentFiles = lazyComponent(() =>
  import('../fields/files/FileList').then((module) => ({ default: module.FileList })),
);

/** The editor of comments. It is large, and loaded when somebody begins to write. */
export const CommentEditor = lazyComponent(() =>
  import('./CommentEditor').then((module) => ({ default: module.CommentEditor })),
);
