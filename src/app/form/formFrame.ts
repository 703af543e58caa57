import type { ReactNode } from 'react';

/** What a frame needs: a dialog over the page, or a panel at its side. */
export interface FormFrameProps {
  titleId: string;
  title: string;
  width: number | string;
  /** Shows what is not shown again: a click beside it does not close it. */
  lasting: boolean;
  onClose: () => void;
  children: ReactNode;
}
