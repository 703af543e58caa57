import { TabBar, type Tab } from '../../src/app/layout/TabBar';
import { useDraft } from './draft';
import { useNarrow } from './useNarrow';

const faces: readonly Tab<'properties' | 'json'>[] = [
  { name: 'properties', label: 'Properties' },
  { name: 'json', label: 'JSON' },
];

/** Changes between the two faces of the definition. Where there is room for one part only, the tabs of all parts do. */
export function FaceTabs() {
  const { face, place, go } = useDraft();
  if (useNarrow()) return null;
  return (
    <TabBar
      id="studio-faces"
      label="Faces of the definition"
      className="studio-faces"
      tabs={faces}
      chosen={face === 'json' ? 'json' : 'properties'}
      onChoose={(next) => go(place, next)}
    />
  );
}
