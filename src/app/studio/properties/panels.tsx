import type { ReactElement } from 'react';
import { lazyComponent } from '../../states/lazyComponent';
import { FormPanel } from '../parts/FormPanel';
import { PartForm } from './PartForm';
import * as styles from './properties.module.css';
import { normalise } from '../../../engine/normalise/normalise';
import { useDraft, useDraftPart } from '../draft';
import { OverlapInputs } from '../parts/OverlapInputs';
import { Columns } from '../parts/Columns';
import { Highlight } from '../parts/Highlight';
import { ListProperty } from './ListProperty';
import { PlaceErrors } from './PlaceErrors';
import { GrantsProperty } from '../parts/Grants';
import { actionsText, audienceText, useRoleNames } from '../parts/audience';

const rowKeys = [
  ...['rowClick', 'views', 'tree', 'search', 'bulkDelete', 'bulkEdit', 'inlineEdit', 'quickAdd'],
  ...['emptyText', 'emptyActions', 'emptyPicture', 'emptyCommand', 'actionsWidth'],
];

/** Properties of the list: columns, order, and what users can do in it. */
export function ListPanel() {
  const fallbacks = useDraftPart(({ source }) => ({
    chooseColumns: (source.list?.columns?.length ?? 9) > 3,
    rowClick: source.page ? 'Opens the page of the record' : 'Does nothing',
    empty: `No ${source.labels.many.toLowerCase()} yet.`,
  }));
  return (
    <>
      <h3 className={styles.studioPart}>Columns</h3>
      <Columns />
      <PartForm pointer="/list" keys={['chooseColumns']} fallbacks={fallbacks} />
      <hr />
      <h3 className={styles.studioPart}>Order</h3>
      <PartForm pointer="/list" keys={['sort', 'sortChoices']} />
      <hr />
      <h3 className={styles.studioPart}>Groups and totals</h3>
      <PartForm pointer="/list" keys={['group', 'totals']} />
      <hr />
      <h3 className={styles.studioPart}>Rows</h3>
      <PartForm pointer="/list" keys={rowKeys} fallbacks={fallbacks} />
      <hr />
      <Highlight />
    </>
  );
}

const loadRare = () => import('../parts/rarePanels');
const AutomationsPanel = lazyComponent(() => loadRare().then((panels) => ({ default: panels.AutomationsPanel })));
const RequestsPanel = lazyComponent(() => loadRare().then((panels) => ({ default: panels.RequestsPanel })));

/** The inputs of each part, by its place. */
export const panels: Readonly<Record<string, ReactElement>> = {
  '/labels': <ModulePanel />,
  '/titles': <TextsPanel />,
  '/list/columns': <ListPanel />,
  '/list/filters': <FiltersPanel />,
  '/list/card': <CardPanel />,
  '/list/tabs': <TabsPanel />,
  '/list/charts': <ChartsPanel />,
  '/list/kanban': <BoardPanel />,
  '/list/calendar': <ViewsPanel />,
  '/validate': <DataPanel />,
  '/form/sections': <FormPanel />,
  '/page': <PagePanel />,
  '/requests': <RequestsPanel />,
  '/automations': <AutomationsPanel />,
  '/rules': <RulesPanel />,
};

/** The list as a board. */
export function BoardPanel() {
  return <PartForm pointer="/list" keys={['kanban']} />;
}

/** Properties of the cards; phones always show cards. */
export function CardPanel() {
  return <PartForm pointer="/list/card" />;
}

/** The charts above the list: of what kind, by which fields, and which number. */
function ChartsPanel() {
  return <PartForm pointer="/list" keys={['charts']} />;
}

/** The filters of the list in their order. */
function FiltersPanel() {
  return <PartForm pointer="/list" keys={['filters']} />;
}

/** Properties of the page of a record: what is shown where, and what its stream tells of. */
function PagePanel() {
  return <PartForm pointer="" keys={['page']} />;
}

/** The tabs of the list, each with a part of the records, and the views that it comes with. */
export function TabsPanel() {
  return (
    <>
      <PartForm pointer="/list" keys={['tabs']} />
      <hr />
      <PartForm pointer="/list" keys={['saved']} />
    </>
  );
}

/** Properties of the module: names, menu, ownership of records, history, comments and archive. */
export function ModulePanel() {
  return (
    <>
      <PartForm pointer="" keys={['labels', 'description', 'scope', 'recordTitle', 'choices']} />
      <hr />
      <PartForm pointer="" keys={['menu']} />
      <hr />
      <PartForm pointer="" keys={['chip']} />
      <hr />
      <PartForm pointer="" keys={['history', 'comments', 'timer', 'archive']} />
    </>
  );
}

/** The list as a calendar, as a timeline and as a gallery. */
export function ViewsPanel() {
  return (
    <>
      <h3 className={styles.studioPart}>Calendar</h3>
      <PartForm pointer="/list" keys={['calendar']} />
      <hr />
      <h3 className={styles.studioPart}>Timeline</h3>
      <PartForm pointer="/list" keys={['timeline']} />
      <hr />
      <h3 className={styles.studioPart}>Gallery</h3>
      <PartForm pointer="/list" keys={['gallery']} />
    </>
  );
}

/** The module's texts: titles, success messages, and the questions before deleting. */
function TextsPanel() {
  const { valid } = useDraft();
  const { titles, toasts, delete: deletion } = normalise(valid.source);
  return (
    <>
      <h3 className={styles.studioPart}>Titles</h3>
      <PartForm pointer="/titles" fallbacks={{ ...titles }} />
      <hr />
      <h3 className={styles.studioPart}>Messages</h3>
      <PartForm pointer="/toasts" fallbacks={{ ...toasts }} />
      <hr />
      <h3 className={styles.studioPart}>Deleting</h3>
      <PartForm pointer="/delete" fallbacks={{ confirm: deletion.confirm }} />
    </>
  );
}

/** Rules for whole records, and their import, export and copies. */
export function DataPanel() {
  return (
    <>
      <PartForm pointer="" keys={['validate']} />
      <hr />
      <h3 className={styles.studioPart}>Import</h3>
      <PartForm pointer="" keys={['import']} />
      <hr />
      <h3 className={styles.studioPart}>Export</h3>
      <PartForm pointer="" keys={['export', 'exports']} />
      <hr />
      <h3 className={styles.studioPart}>Printed page</h3>
      <PartForm pointer="" keys={['print']} />
      <hr />
      <h3 className={styles.studioPart}>Public form</h3>
      <PartForm pointer="" keys={['public']} />
      <hr />
      <h3 className={styles.studioPart}>Copies</h3>
      <PartForm pointer="" keys={['copy']} />
      <hr />
      <PartForm pointer="" keys={['unique']} />
      <hr />
      <h3 className={styles.studioPart}>Overlaps</h3>
      <OverlapInputs />
      <hr />
      <PartForm pointer="" keys={['indexes']} />
      <hr />
      <PartForm pointer="" keys={['parameters']} />
    </>
  );
}

/** Access: the default grants of a new module, and the rules that restrict grants. */
function RulesPanel() {
  const roles = useRoleNames();
  return (
    <>
      <h3 className={styles.studioPart}>Grants</h3>
      <p className={styles.studioHint}>
        The permissions that roles get when the module is new. Change them later under Permissions.
      </p>
      <GrantsProperty />
      <hr />
      <h3 className={styles.studioPart}>Rules</h3>
      <ListProperty
        pointer="/rules"
        label="Rules"
        add="Add a rule"
        emptyText="No rules: grants apply to every record"
        createEntry={() => ({ levels: [6], action: 'edit', where: { created_by: '$actor.id' } })}
        titleOf={({ reason, action }) => String(reason ?? actionsText(action))}
        noteOf={(rule) => audienceText(rule, roles)}
      >
        {(entryPointer) => (
          <>
            <PlaceErrors pointer={entryPointer} />
            <PartForm pointer={entryPointer} />
          </>
        )}
      </ListProperty>
    </>
  );
}
