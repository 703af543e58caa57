import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useDraft } from './draft';
import { useNarrow } from './useNarrow';

/** Changes between the two faces of the definition. Where there is room for one part only, the tabs of all parts do. */
export function FaceTabs() {
  const { face, place, go } = useDraft();
  if (useNarrow()) return null;
  return (
    <Tabs
      className="studio-faces"
      value={face === 'json' ? 'json' : 'properties'}
      aria-label="Faces of the definition"
      onChange={(_, next: 'json' | 'properties') => go(place, next)}
    >
      <Tab value="properties" label="Properties" />
      <Tab value="json" label="JSON" />
    </Tabs>
  );
}
