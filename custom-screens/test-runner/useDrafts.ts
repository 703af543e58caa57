import { useCallback, useState } from 'react';
import { emptyDraft, isEmptyDraft, type Draft } from './draft';

type Drafts = Readonly<Record<number, Draft>>;

function load(key: string): Drafts {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Drafts;
  } catch {
    return {};
  }
}

/** A tester's unsaved findings in the tests of a run; they are still there after the page is loaded again. */
export function useDrafts(run: number, person: number) {
  const key = `assay.drafts.${person}.${run}`;
  const [drafts, setDrafts] = useState(() => load(key));
  const change = useCallback(
    (entry: number, make: (draft: Draft) => Draft) =>
      setDrafts((draftsBefore) => {
        const { [entry]: draft = emptyDraft, ...otherDrafts } = draftsBefore;
        const next = make(draft);
        const nextDrafts = isEmptyDraft(next) ? otherDrafts : { ...otherDrafts, [entry]: next };
        try {
          sessionStorage.setItem(key, JSON.stringify(nextDrafts));
        } catch {
          // Without storage they are kept as long as the page.
        }
        return nextDrafts;
      }),
    [key],
  );
  const draftOf = (entry: number | undefined): Draft => (entry === undefined ? undefined : drafts[entry]) ?? emptyDraft;
  return { draftOf, change };
}
