import { lazyComponent } from '../../src/app/states/lazyComponent';

/** Files in a dialog; its code is loaded when it is first opened. */
export const LazyFilePreview = lazyComponent(() =>
  import('../../src/app/fields/files/FilePreview').then((module) => ({ default: module.FilePreview })),
);
