import { createContext, use, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { setDocumentTitle } from '../brand/name';

/** What a screen says in the bar above it. */
export interface Page {
  title: string;
  /** Shown muted as `| Total Records: n`. */
  total?: number;
  /** Muted text after the title, such as a record's number. */
  note?: string;
  /** The name of the record that the page is about, which the browser's tab begins with. */
  record?: string;
  /** The list above this page, named before the title. */
  back?: { to: string; label: string };
  /** Buttons at the bar's right. They live outside the screen: use `<PageActions>` where they need its contexts. */
  actions?: ReactNode;
  /** Leaves out the line under the bar, where tabs or a toolbar follow. */
  flat?: boolean;
}

interface Setters {
  setPage: (page: Page | null) => void;
  setSlot: (slot: HTMLElement | null) => void;
}

const PageContext = createContext<Page | null>(null);
const SlotContext = createContext<HTMLElement | null>(null);
const SettersContext = createContext<Setters>({ setPage: () => {}, setSlot: () => {} });

/** Carries what screens say up to the bar. */
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

/** Fills the bar for as long as the calling screen is shown, and titles the browser's tab. */
export function usePage(page: Page): void {
  const { setPage } = use(SettersContext);
  // After every render: the buttons are new each time. Only the bar follows this, so nothing goes round in circles.
  useLayoutEffect(() => setPage(page));
  useLayoutEffect(() => () => setPage(null), [setPage]);
  const [name] = page.title.split(' | ');
  const tab = page.record ? `${page.record} · ${name}` : name;
  useEffect(() => setDocumentTitle(tab), [tab]);
}

/** Shows its children in the bar while they stay where they are in the tree, with all of its contexts. */
export function PageActions({ children }: { children: ReactNode }) {
  const slot = use(SlotContext);
  return slot && createPortal(children, slot);
}

/** For the bar: what the screen says, and the slot it offers. */
export function useBar(): { page: Page | null; setSlot: (slot: HTMLElement | null) => void } {
  return { page: use(PageContext), setSlot: use(SettersContext).setSlot };
}
