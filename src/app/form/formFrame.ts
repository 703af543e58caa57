import type { ReactNode } from 'react';

/** The props of a frame: a dialog over the page, or a panel at its side. */
export interface FormFrameProps {
  titleId: string;
  title: string;
  /** The level of its heading: the first where it has an address, and so is the page. */
  level: 1 | 2;
  /** Links beside the title. */
  links?: ReactNode;
  width: number | string;
  /** Shows what is not shown again: a click beside it does not close it. */
  lasting: boolean;
  onClose: () => void;
  children: ReactNode;
}
