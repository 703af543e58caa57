import { useSearchParams } from 'react-router';
import { isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../admin/DefinitionsContext';
import { NoAccess } from '../../admin/NoAccess';
import { TabBar, tabPanel } from '../../layout/TabBar';
import { usePage } from '../../layout/page';
import { ImportHistory } from './ImportHistory';
import { ImportPanel } from './ImportPanel';
import { importableDefinitions, importsKey } from './importAccess';
import * as styles from './imports.module.css';

/** Imports from spreadsheets: a tab for each resource, with the form and the history of imports. */
export default function Imports() {
  const { registry, actor } = useDefinitions();
  const [query, setQuery] = useSearchParams();
  const types = importableDefinitions({ registry, actor });
  const chosen = types.find(({ name }) => name === query.get('type')) ?? types[0];
  usePage({ title: 'Imports', flat: true });
  if (!chosen) return <NoAccess />;
  const may = (action: 'list' | 'create') =>
    isGranted(actor, chosen.name, action) && isGranted(actor, importsKey, action);
  return (
    <div className={styles.imports}>
      <TabBar
        id="imports"
        label="Imports"
        tabs={types.map(({ name, labels }) => ({ name, label: `Import ${labels.many}` }))}
        chosen={chosen.name}
        onChoose={(name) => setQuery({ type: name })}
      />
      <div className={styles.importsPage} key={chosen.name} {...tabPanel('imports', chosen.name)}>
        {may('create') && <ImportPanel definition={chosen} />}
        {may('list') && <ImportHistory definition={chosen} />}
      </div>
    </div>
  );
}
