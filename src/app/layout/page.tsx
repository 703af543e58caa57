import { createContext, use, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { setDocumentTitle } from '../brand/productTitle';
import { firstOf } from '../../engine/values/lookups';

/** The content of the bar above a screen. */
export interface Page {
  title: string;
  /** Shown muted as `| Total Records: n`. */
  total?: number;
  /** Muted text after the title, such as a record's number. */
  note?: string;
  /** Shows the note below the title on phones. */
  isNoteBelow?: boolean;
  /** The name of the record that the page is about; it comes first in the document title. */
  record?: string;
  /** The parent list, shown before the title. */
  back?: { to: string; label: string };
  /** Buttons in the bar. They render outside of the screen: use `<PageActions>` if they need its contexts. */
  actions?: ReactNode;
  /** Hides the line under the bar, if tabs or a toolbar follow. */
  flat?: boolean;
  /** A form with its own title is open over it. */
  covered?: boolean;
}

interface Setters {
  setPage: (page: Page | null) => void;
  setSlot: (slot: HTMLElement | null) => void;
}

const PageContext = createContext<Page | null>(null);
const SlotContext = createContext<HTMLElement | null>(null);
const SettersContext = createContext<Setters>({ setPage: () => {}, setSlot: () => {} });

/** Whether a form with its own address and title is open over the screen. */
export const CoveredContext = createContext(false);

/** Passes what screens set up to the bar. */
export function PageProvider({ children }: { children: ReactNode }) {
  const [page, setPage] = useState<Page | null>(null);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const setters = useMemo(() => ({ setPage, setSlot }), []);
  return (
    <SettersContext value={setters}>
      <SlotContext value={slot}>
        <PageContext value={page}>{children}</PageContext>
      </SlotContext>
    </SettersContext>
  );
}

/**
 * Sets the bar's contents and the document title while the calling screen is mounted.
 *
 * @example usePage({ title: 'Reports' });
 */
export function usePage(page: Page): void {
  const { setPage } = use(SettersContext);
  const covered = use(CoveredContext);
  // After every render, because buttons are new each time. Only the bar re-renders, so there is no loop.
  useLayoutEffect(() => setPage(covered ? { ...page, covered } : page));
  useLayoutEffect(() => () => setPage(null), [setPage]);
  const tab = tabTitle(page);
  useEffect(() => {
    if (!covered) setDocumentTitle(tab);
  }, [covered, tab]);
}

/** Sets the document title of a form that is open over a screen, beneath a `CoveredContext`. */
export function TitleOver(form: Pick<Page, 'title' | 'record'>): null {
  const tab = tabTitle(form);
  useEffect(() => setDocumentTitle(tab), [tab]);
  return null;
}

/** The name of the page in the browser's tab and in its announcement: the record first, without numbers of records. */
export function tabTitle({ title, record }: Pick<Page, 'title' | 'record'>): string {
  const name = firstOf(title.split(' | '));
  return record ? `${record} · ${name}` : name;
}

/** Renders its children into the bar, with the contexts of where they are used. */
export function PageActions({ children }: { children: ReactNode }) {
  const slot = use(SlotContext);
  return slot && createPortal(children, slot);
}

/**
 * For the bar: the screen's page, and the setter of its slot.
 *
 * @example const { page, setSlot } = useBar(); // <div ref={setSlot} aria-label={page?.title} />
 */
export function useBar(): { page: Page | null; setSlot: (slot: HTMLElement | null) => void } {
  return { page: use(PageContext), setSlot: use(SettersContext).setSlot };
}
