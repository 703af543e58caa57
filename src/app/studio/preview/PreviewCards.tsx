import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'react-router-dom';
import { OpenDialogContext, useOpenDialog, type OpenedDialog } from '../../dialogs/openDialog';
import type { Definition } from '../../../engine/definitions/definition';
import type { FormMode } from '../../../engine/forms/form-fields';
import { FormCard, type ShownForm } from './FormCard';
import { ListCard } from './ListCard';
import { scrollToColumn, scrollToInput, highlightCss, newFields } from './highlight';
import type { PreviewServer } from './previewServer';
import type { PreviewWorld } from './previewWorld';
import * as styles from './preview.module.css';

export type EditedCard = 'list' | 'form';

interface PreviewCardsProps {
  world: PreviewWorld;
  server: PreviewServer;
  viewerText: string;
  /** The selected field. */
  field: string | undefined;
  /** The one of both that is edited, which has the whole height then. */
  editedCard: EditedCard | undefined;
}

/** Milliseconds between attempts to find an element: forms render a changed definition with a delay. */
const retryInterval = 50;
/** Milliseconds to wait for the field's column and input. */
const retryLimit = 5000;

/** The list and the form of the draft. A record opened in the list is shown in the form. */
export function PreviewCards({ world, server, viewerText, field, editedCard }: PreviewCardsProps) {
  const { definition, publishedDefinition } = world;
  const [shownForm, setShownForm] = useState<ShownForm>({ mode: 'edit' });
  // A record opened in the list is shown beside it.
  const [openedIn, setOpenedIn] = useState<EditedCard>();
  const fullCard = openedIn === editedCard ? undefined : editedCard;
  const showForm = useCallback(
    (next: ShownForm) => {
      setShownForm(next);
      setOpenedIn(editedCard);
    },
    [editedCard],
  );
  const frame = useRef<HTMLDivElement>(null);
  const newNames = useMemo(() => newFields(definition, publishedDefinition), [definition, publishedDefinition]);
  const openDialog = useOpenDialog();
  const open = useMemo(
    () => (dialog: OpenedDialog) => {
      if (dialog.kind !== 'form' || dialog.definition.name !== definition.name) return openDialog(dialog);
      showForm({ mode: dialog.mode, id: dialog.id });
    },
    [definition.name, openDialog, showForm],
  );
  useFollowNavigation(definition.name, showForm);
  useScrollToField(frame, field, definition);
  return (
    <OpenDialogContext value={open}>
      <style>{highlightCss(newNames, field)}</style>
      <div className={styles.previewCards} data-alone={fullCard} ref={frame}>
        <ListCard definition={definition} viewerText={viewerText} />
        <FormCard {...{ world, server, form: shownForm }} onShow={setShownForm} />
      </div>
    </OpenDialogContext>
  );
}

/** Shows in the form what the list navigates to. */
function useFollowNavigation(name: string, show: (shown: ShownForm) => void): void {
  const { pathname, key } = useLocation();
  const follow = useEffectEvent((path: string) => {
    const [resource, first, second] = path.slice(1).split('/');
    if (resource !== name || first === undefined) return;
    if (first === 'create') return show(second === undefined ? { mode: 'create' } : { mode: 'copy', id: second });
    const mode: FormMode = second === 'view' ? 'view' : 'edit';
    show({ mode, id: first });
  });
  useEffect(() => follow(pathname), [key, pathname]);
}

/** Scrolls to the selected field's column and input, each once, as soon as they are rendered. */
function useScrollToField(
  frame: RefObject<HTMLElement | null>,
  field: string | undefined,
  definition: Definition,
): void {
  const targets = useRef<{ column?: string; input?: string }>({});
  useEffect(() => {
    targets.current = { column: field, input: field };
  }, [field]);
  useEffect(() => {
    const end = Date.now() + retryLimit;
    const timer = setInterval(() => {
      const page = frame.current?.ownerDocument;
      const { column, input } = targets.current;
      if (page && column !== undefined && scrollToColumn(page, column)) delete targets.current.column;
      if (page && input !== undefined && scrollToInput(page, input)) delete targets.current.input;
      if (Date.now() > end || Object.values(targets.current).every((name) => name === undefined)) clearInterval(timer);
    }, retryInterval);
    return () => clearInterval(timer);
  }, [definition, field, frame]);
}
