import type { ReactElement } from 'react';
import { lazyComponent } from '../../states/lazyComponent';
import { BoardPanel } from '../parts/BoardPanel';
import { CardPanel } from '../parts/CardPanel';
import { ChartsPanel } from '../parts/ChartsPanel';
import { DataPanel } from '../parts/DataPanel';
import { FiltersPanel } from '../parts/FiltersPanel';
import { FormPanel } from '../parts/FormPanel';
import { ListPanel } from '../parts/ListPanel';
import { ModulePanel } from '../parts/ModulePanel';
import { PagePanel } from '../parts/PagePanel';
import { RulesPanel } from '../parts/RulesPanel';
import { TabsPanel } from '../parts/TabsPanel';
import { TextsPanel } from '../parts/TextsPanel';
import { ViewsPanel } from '../parts/ViewsPanel';

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
