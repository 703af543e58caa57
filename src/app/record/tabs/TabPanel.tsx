import { createElement } from 'react';
import { RecordContextProvider, ResourceContextProvider } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import type { Definition, FormTab, ResourceRecord } from '../../../engine/definitions/definition';
import { listTitle } from '../../../engine/lists/list-title';
import { presetsFromRecord } from '../../../engine/lists/presets';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext, useResolvedValues } from '../../data/useEvaluationContext';
import { useOpenDialog } from '../../dialogs/openDialog';
import { EmbeddedList } from '../../list/embedded/EmbeddedList';
import { useTotal } from '../../list/useTotal';
import { tabContentOf } from './tabContents';
import * as styles from '../../form/form.module.css';

interface TabPanelProps {
  tab: FormTab;
  /** The definition of the record around the list. */
  definition: Definition;
  record: ResourceRecord;
}

/** The content of a form's tab: what the product registered under its name, otherwise a list. */
export function TabPanel(props: TabPanelProps) {
  const content = tabContentOf(props.tab.content);
  if (!content) return <TabList {...props} />;
  return (
    <ResourceContextProvider value={props.definition.name}>
      <RecordContextProvider value={props.record}>
        <div className={styles.formPanelContent}>{createElement(content)}</div>
      </RecordContextProvider>
    </ResourceContextProvider>
  );
}

/** The list in a form's tab. Records added there belong to the form's record. */
function TabList({ tab, definition, record }: TabPanelProps) {
  const { registry } = useDefinitions();
  const open = useOpenDialog();
  const navigate = useNavigate();
  const target = registry.getOrThrow(tab.resource);
  const evaluationContext = useEvaluationContext();
  const fixedValues = useResolvedValues(tab.filter, record);
  const add = () => {
    const presets = presetsFromRecord(
      target,
      { ...tab.filter, ...tab.values },
      { definition, record },
      evaluationContext,
    );
    const { popup, dialog } = target.form;
    const width = popup?.width ?? dialog?.width;
    if (width === undefined) return void navigate(`/${target.name}/create`, { state: { record: presets.record } });
    open({
      kind: 'form',
      definition: target,
      mode: 'create',
      preset: presets.record,
      fixedFields: presets.fixed,
      width,
    });
  };
  const total = useTotal(target.name, fixedValues);
  return (
    <>
      <h2 className={styles.formPanelTitle}>{listTitle(target, total)}</h2>
      <EmbeddedList definition={target} fixedValues={fixedValues} onAdd={add} />
    </>
  );
}
