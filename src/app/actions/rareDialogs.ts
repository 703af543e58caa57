/** Dialogs of row actions that hardly ever open, which are loaded together. */
export { BlockedActionDialog } from './BlockedActionDialog';
export { HandoverDialog } from './handover/HandoverDialog';
