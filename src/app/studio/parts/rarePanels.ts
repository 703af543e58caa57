/** The panels that few definitions need, loaded together when the first of them is shown. */
export { AutomationsPanel } from './automations/AutomationsPanel';
export { RequestsPanel } from './requests/RequestsPanel';
