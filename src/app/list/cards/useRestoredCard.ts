import { useEffect, useState, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';
import { onSignOut } from '../../session/session';

interface LeftCard {
  /** The path of the screen and the resource of its list. */
  pathname: string;
  resource: string;
  id: string;
}

/** The card from which a list was last left. */
let left: LeftCard | undefined;
onSignOut(() => (left = undefined));

/** Another record of a list is now the one that the user will come back from. */
export function followCard(resource: string, id: string): void {
  if (left?.resource === resource) left = { ...left, id };
}

/** Returns the focus to the card (`data-card`) from which a record was opened, when the user comes back. */
export function useRestoredCard(
  frame: RefObject<HTMLElement | null>,
  resource: string,
  records: readonly object[],
): void {
  const { pathname } = useLocation();
  const [restoredCard] = useState(() => (left?.pathname === pathname && left.resource === resource ? left : undefined));
  useEffect(() => {
    const list = frame.current;
    if (!list) return;
    const remember = ({ target }: Event) => {
      const id = target instanceof Element && target.closest<HTMLElement>('[data-card]')?.dataset.card;
      if (id) left = { pathname, resource, id };
    };
    const events = ['focusin', 'click'] as const;
    for (const event of events) list.addEventListener(event, remember);
    return () => events.forEach((event) => list.removeEventListener(event, remember));
  }, [frame, pathname, records, resource]);
  useEffect(() => {
    if (!restoredCard || restoredCard !== left) return;
    const cards = [...(frame.current?.querySelectorAll<HTMLElement>('[data-card]') ?? [])];
    const card = cards.find(({ dataset }) => dataset.card === restoredCard.id);
    if (!card) return;
    left = undefined;
    // The content has the focus when nothing in it has.
    if (!document.activeElement?.matches('body, main')) return;
    focusCard(card);
  }, [restoredCard, frame, records]);
}

/** Focuses a card, or the link of its title where it cannot have the focus itself. */
export function focusCard(card: HTMLElement | undefined): void {
  const target = card?.tabIndex === 0 ? card : card?.querySelector<HTMLElement>(':is(h2, h3) a');
  target?.focus({ preventScroll: true });
  card?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
}
