import { Component, createRef, type PointerEvent, type ReactNode } from 'react';
import * as styles from './form.module.css';

interface FocusSnapshot {
  id: string;
  /** The selection; null in inputs without a cursor. */
  from: number | null;
  to: number | null;
}

interface PreserveFocusProps {
  /** Where the rail of the form is; undefined: it has none. */
  rail?: 'beside' | 'below';
  children: ReactNode;
}

/**
 * Restores focus and cursor on the input of the same id after the form around it was re-created, for example because
 * its definition changed while the user types.
 */
export class PreserveFocus extends Component<PreserveFocusProps> {
  private readonly frame = createRef<HTMLDivElement>();

  override getSnapshotBeforeUpdate(): FocusSnapshot | null {
    const focusedElement = this.frame.current?.ownerDocument.activeElement;
    if (!focusedElement?.id || !this.frame.current?.contains(focusedElement)) return null;
    const { selectionStart: start = null, selectionEnd: end = null } = focusedElement as Partial<HTMLInputElement>;
    return { id: focusedElement.id, from: start, to: end };
  }

  override componentDidUpdate(_props: unknown, _state: unknown, snapshot: FocusSnapshot | null) {
    const page = this.frame.current?.ownerDocument;
    if (!snapshot || !page || page.activeElement?.id === snapshot.id) return;
    const input = page.getElementById(snapshot.id);
    input?.focus({ preventScroll: true });
    if (snapshot.from !== null && input && 'setSelectionRange' in input)
      (input as HTMLInputElement).setSelectionRange(snapshot.from, snapshot.to);
  }

  override render() {
    return (
      <div className={styles.formSections} ref={this.frame} data-rail={this.props.rail} onPointerOver={showCutText}>
        {this.props.children}
      </div>
    );
  }
}

/** The attribute of an element whose tooltip is its own text. */
const cutAttribute = 'data-cut';

/** Shows in a tooltip what the element under the pointer cuts: the value of an input, or a text with an ellipsis. */
function showCutText({ target }: PointerEvent): void {
  if (!(target instanceof HTMLElement) || (target.title !== '' && !target.hasAttribute(cutAttribute))) return;
  // A password is not shown beside its box, whether or not its characters are masked at the moment.
  const isSecret = target.matches('[type=password], [autocomplete$=password]');
  const isCut = target.scrollWidth > target.clientWidth && getComputedStyle(target).textOverflow === 'ellipsis';
  if (isCut && !isSecret) {
    target.title = target instanceof HTMLInputElement ? target.value : (target.textContent ?? '');
    target.setAttribute(cutAttribute, '');
  } else if (target.hasAttribute(cutAttribute)) {
    // An empty title would hide the tooltips of the elements around.
    target.removeAttribute('title');
    target.removeAttribute(cutAttribute);
  }
}
