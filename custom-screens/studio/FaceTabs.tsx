import { TabBar, type Tab } from '../../src/app/layout/TabBar';
import { useDraft } from './draft';
import { useNarrow } from './useNarrow';

const faces: readonly Tab<'properties' | 'json'>[] = [
  { name: 'properties', label: 'Properties' },
  { name: 'json', label: 'JSON' },
];

/** Tabs to switch between properties and JSON. On narrow screens the tabs of all panes replace them. */
export function FaceTabs() {
  const { face, place, go } = useDraft();
  if (useNarrow()) return null;
  return (
    <TabBar
      id="studio-faces"
      label="Views of the definition"
      className="studio-faces"
      tabs={faces}
      chosen={face === 'json' ? 'json' : 'properties'}
      onChoose={(next) => go(place, next)}
    />
  );
}
