import {
  AuthContext,
  I18nContextProvider,
  ResourceDefinitionContext,
  useI18nProvider,
  type AuthProvider,
  type I18nProvider,
  type ResourceDefinition,
  type ResourceProps,
} from 'react-admin';
import { use, useMemo, type ReactNode } from 'react';
import { isGranted } from '../../engine/access/access-decision';
import { canDo } from '../../engine/access/can-do';
import type { EvaluationContext } from '../../engine/conditions/variables';
import type { Action, Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import { useDefinitions, type Definitions } from './DefinitionsContext';
import { useContextOnDemand } from './useEvaluationContext';

/** The actions of react-admin, each by the grants of which one suffices. */
const grantsOf: Readonly<Record<string, readonly Action[]>> = {
  list: ['list'],
  export: ['list'],
  create: ['create'],
  clone: ['create'],
  edit: ['edit'],
  show: ['list', 'view', 'edit'],
  delete: ['delete'],
};

/**
 * Every definition as a resource of react-admin, each with its four routes, its labels, and what the user may do with it. It stands
 * in a `CoreAdminContext` with an `authProvider`.
 */
export function ResourcesProvider({ children }: { children: ReactNode }) {
  const definitions = useDefinitions();
  const { registry } = definitions;
  const authProvider = use(AuthContext);
  const evaluationContext = useContextOnDemand();
  const i18nProvider = useI18nProvider();
  const resources = useMemo(
    () => ({ definitions: resourcesOf(registry), register: ignore, unregister: ignore }),
    [registry],
  );
  const auth = useMemo<AuthProvider>(
    () => ({
      ...authProvider!,
      canAccess: (question) => Promise.resolve(canAccess(definitions, question, evaluationContext)),
    }),
    [authProvider, definitions, evaluationContext],
  );
  const labels = useMemo<I18nProvider>(
    () => ({
      ...i18nProvider,
      translate: (key, options) => labelOf(registry, key, options) ?? i18nProvider.translate(key, options),
    }),
    [i18nProvider, registry],
  );
  return (
    <AuthContext value={auth}>
      <I18nContextProvider value={labels}>
        <ResourceDefinitionContext value={resources}>{children}</ResourceDefinitionContext>
      </I18nContextProvider>
    </AuthContext>
  );
}

/** A product's screens need not register resources: all have been. */
const ignore = () => undefined;

function resourcesOf({ definitions }: Registry): Record<string, ResourceDefinition> {
  return Object.fromEntries(
    [...definitions.values()].map((definition) => [definition.name, { ...resourceProps(definition), hasList: true }]),
  );
}

/** The properties of a definition's `<Resource>` besides its screens. */
export function resourceProps({ name, labels, titleField }: Definition): ResourceProps {
  return {
    name,
    hasCreate: true,
    hasEdit: true,
    hasShow: true,
    recordRepresentation: titleField,
    options: { label: labels.many },
  };
}

interface AccessQuestion {
  readonly resource: string;
  readonly action: string;
  /** Without a record it is about any. */
  readonly record?: ResourceRecord;
}

function canAccess(
  { registry, actor }: Definitions,
  { resource, action, record }: AccessQuestion,
  evaluationContext: EvaluationContext,
): boolean {
  const definition = registry.get(resource);
  if (!definition || (action === 'export' && definition.export === null)) return false;
  return (grantsOf[action] ?? []).some((grant) =>
    record ? canDo(actor, definition, grant, record, evaluationContext) : isGranted(actor, resource, grant),
  );
}

/** The words of a definition for react-admin's keys: `resources.films.name`, `resources.films.fields.budget`. */
function labelOf(registry: Registry, key: string, options?: { readonly smart_count?: number }): string | undefined {
  const [, resource = '', words, field = ''] =
    /^resources\.([^.]+)\.(?:(name|forcedCaseName)|fields\.(.+))$/.exec(key) ?? [];
  const definition = registry.get(resource);
  if (!words) return definition?.fields[field]?.label;
  return options?.smart_count === 1 ? definition?.labels.one : definition?.labels.many;
}
