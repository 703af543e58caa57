import { useEffect, useRef, useState } from 'react';
import { requireValue } from '../../engine/values/lookups';
import { AnchoredTooltip } from '../layout/AnchoredTooltip';
import * as styles from './shell.module.css';

/** Milliseconds that the pointer rests on an entry before its name is shown. */
const hintDelay = 400;

/**
 * Shows the name of the folded entry under the pointer or focus: one tooltip for all, because one per entry is slow.
 */
export default function FoldedHints() {
  const mark = useRef<HTMLSpanElement>(null);
  const [entry, setEntry] = useState<Element | null>(null);
  useEffect(() => {
    const side = requireValue(mark.current?.parentElement, 'the side menu');
    let timer: ReturnType<typeof setTimeout>;
    const show = ({ type, target }: Event) => {
      const next = target instanceof Element ? target.closest(`.${styles.sideEntry}`) : null;
      clearTimeout(timer);
      if (!next || (type === 'focusin' && !next.matches(':focus-visible'))) return setEntry(null);
      timer = setTimeout(() => setEntry(next), type === 'focusin' ? 0 : hintDelay);
    };
    const hide = () => {
      clearTimeout(timer);
      setEntry(null);
    };
    const showEvents = ['mouseover', 'focusin'];
    const hideEvents = ['mouseleave', 'focusout', 'mousedown'];
    showEvents.forEach((name) => side.addEventListener(name, show));
    hideEvents.forEach((name) => side.addEventListener(name, hide));
    return () => {
      clearTimeout(timer);
      showEvents.forEach((name) => side.removeEventListener(name, show));
      hideEvents.forEach((name) => side.removeEventListener(name, hide));
    };
  }, []);
  return (
    <AnchoredTooltip
      target={entry}
      text={entry?.querySelector('.unseen')?.textContent ?? ''}
      placement="right"
      onClose={() => setEntry(null)}
    >
      <span ref={mark} className="unseen" />
    </AnchoredTooltip>
  );
}
