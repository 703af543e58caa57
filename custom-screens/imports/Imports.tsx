import { useSearchParams } from 'react-router';
import { isGranted } from '../../src/engine/access/decide';
import { useDefinitions } from '../../src/app/admin/DefinitionsContext';
import { Refused } from '../../src/app/admin/Refused';
import { TabBar, tabPanel } from '../../src/app/layout/TabBar';
import { usePage } from '../../src/app/layout/page';
import { room } from './calls';
import { History } from './History';
import { ImportPanel } from './ImportPanel';
import { importedTypes } from './tabs';
import './imports.css';

/** Imports from spreadsheets: a tab for each resource, with the form and the history of imports. */
export default function Imports() {
  const { registry, actor } = useDefinitions();
  const [query, setQuery] = useSearchParams();
  const types = importedTypes({ registry, actor });
  const chosen = types.find(({ name }) => name === query.get('type')) ?? types[0];
  usePage({ title: 'Imports', flat: true });
  if (!chosen) return <Refused />;
  const may = (action: 'list' | 'create') => isGranted(actor, chosen.name, action) && isGranted(actor, room, action);
  return (
    <div className="imports">
      <TabBar
        id="imports"
        label="Imports"
        tabs={types.map(({ name, labels }) => ({ name, label: `Import ${labels.many}` }))}
        chosen={chosen.name}
        onChoose={(name) => setQuery({ type: name })}
      />
      <div className="imports-page" key={chosen.name} {...tabPanel('imports', chosen.name)}>
        {may('create') && <ImportPanel definition={chosen} />}
        {may('list') && <History definition={chosen} />}
      </div>
    </div>
  );
}
