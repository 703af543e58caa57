import { Component, createRef, type ReactNode } from 'react';
import * as styles from './form.module.css';

interface FocusSnapshot {
  id: string;
  /** The selection; null in inputs without a cursor. */
  from: number | null;
  to: number | null;
}

/**
 * Restores focus and cursor on the input of the same id after the form around it was re-created, for example because
 * its definition changed while the user types.
 */
export class PreserveFocus extends Component<{ children: ReactNode }> {
  private readonly frame = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): FocusSnapshot | null {
    const held = this.frame.current?.ownerDocument.activeElement;
    if (!held?.id || !this.frame.current?.contains(held)) return null;
    const { selectionStart: from = null, selectionEnd: to = null } = held as Partial<HTMLInputElement>;
    return { id: held.id, from, to };
  }

  override componentDidUpdate(_props: unknown, _state: unknown, held: FocusSnapshot | null) {
    const page = this.frame.current?.ownerDocument;
    if (!held || !page || page.activeElement?.id === held.id) return;
    const input = page.getElementById(held.id);
    input?.focus({ preventScroll: true });
    if (held.from !== null && input && 'setSelectionRange' in input)
      (input as HTMLInputElement).setSelectionRange(held.from, held.to);
  }

  override render() {
    return (
      <div className={styles.formSections} ref={this.frame}>
        {this.props.children}
      </div>
    );
  }
}
