/** Inputs that are loaded together, when one of them is first shown. */
export { RowGrid } from './rows/RowGrid';
export { MarkdownBox } from './textarea/MarkdownBox';
