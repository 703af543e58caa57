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

/** What a tester found in the tests of a run and has not saved; it is still there after the page is loaded again. */
export function useDrafts(run: number, person: number) {
  const key = `assay.drafts.${person}.${run}`;
  const [drafts, setDrafts] = useState(() => load(key));
  const change = useCallback(
    (entry: number, make: (draft: Draft) => Draft) =>
      setDrafts((all) => {
        const { [entry]: draft = emptyDraft, ...others } = all;
        const next = make(draft);
        const kept = isEmptyDraft(next) ? others : { ...others, [entry]: next };
        try {
          sessionStorage.setItem(key, JSON.stringify(kept));
        } catch {
          // Without storage they are kept as long as the page.
        }
        return kept;
      }),
    [key],
  );
  const draftOf = (entry: number | undefined): Draft => (entry === undefined ? undefined : drafts[entry]) ?? emptyDraft;
  return { draftOf, change };
}
