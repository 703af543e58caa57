import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import type { ReactNode } from 'react';
import { useDraft } from './draft';
import { useNarrow } from './useNarrow';

/** The head of the middle part: the two faces of a place, and what the shown one offers. */
export function FaceHead({ children }: { children?: ReactNode }) {
  const { face, place, go } = useDraft();
  const narrow = useNarrow();
  return (
    <header className="studio-head">
      {!narrow && (
        <Tabs
          className="studio-faces"
          value={face === 'json' ? 'json' : 'properties'}
          aria-label="Faces of the definition"
          onChange={(_, next: 'json' | 'properties') => go(place, next)}
        >
          <Tab value="properties" label="Properties" />
          <Tab value="json" label="JSON" />
        </Tabs>
      )}
      <span className="studio-grow" />
      {children}
    </header>
  );
}
