import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { filesIn, type FileValue } from '../../engine/field-types/stored-files';
import { fetchApi, requestApi } from '../session/api';
import type { ApiClient } from '../session/apiClient';

/** A public form as the server describes it. */
export interface OpenForm {
  readonly definition: Definition;
  /** The name of the field that people do not see. */
  readonly honeypot: string;
}

/** The calls of a public form. */
export interface VisitorApi {
  /** Answers what the fields of the form ask for; everything else has no answer for visitors. */
  readonly ask: ApiClient;
  /** Sends the form. Returns the text of its confirmation. Throws ApiError. */
  send(values: ResourceRecord, trap: Readonly<Record<string, string>>): Promise<string>;
}

/** Loads the form at a key; null for one that is not open (any more). Throws ApiError. */
export async function loadForm(key: string, signal: AbortSignal): Promise<OpenForm | null> {
  try {
    return (await fetchApi<{ data: OpenForm }>(`/public-forms/${key}`, { anonymous: true, signal })).data;
  } catch (error) {
    if ((error as { status?: number }).status === 404) return null;
    throw error;
  }
}

/**
 * The calls of the form at a key. Files are kept until the form is sent: visitors store nothing before.
 *
 * @example const { ask, send } = createVisitorApi(key, definition);
 */
export function createVisitorApi(key: string, { name }: Definition): VisitorApi {
  const chosenFiles = new Map<string, File>();
  const path = `/public-forms/${key}`;

  const ask: ApiClient = async (askedPath, init = {}) => {
    const choices = /^\/[^/?]+\/choices\/([^/?]+)\??(.*)$/.exec(askedPath);
    if (choices) return requestApi(`${path}/choices/${choices[1]}?${choices[2]}`, { ...init, anonymous: true });
    const file =
      askedPath.startsWith(`/${name}/files?`) && init.body instanceof FormData ? init.body.get('file') : null;
    if (!(file instanceof File)) return Response.json({ data: [] });
    const url = URL.createObjectURL(file);
    chosenFiles.set(url, file);
    const value: FileValue = { name: file.name, size: file.size, type: file.type, url };
    return Response.json({ data: value });
  };

  const send: VisitorApi['send'] = async (values, trap) => {
    const body = formOf({ ...values, ...trap }, chosenFiles);
    const request = body instanceof FormData ? { body } : { json: body };
    const answer = await fetchApi<{ data: { confirmation: string } }>(path, {
      method: 'POST',
      anonymous: true,
      ...request,
    });
    return answer.data.confirmation;
  };
  return { ask, send };
}

/** The values as JSON, or with files as a form: texts first, then the files in their order. */
function formOf(values: ResourceRecord, chosenFiles: ReadonlyMap<string, File>): ResourceRecord | FormData {
  const files: (readonly [name: string, file: File])[] = [];
  const texts: ResourceRecord = {};
  for (const [name, value] of Object.entries(values)) {
    const ownFiles = value instanceof File ? [value] : filesIn(value).flatMap(({ url }) => chosenFiles.get(url) ?? []);
    if (ownFiles.length > 0) files.push(...ownFiles.map((file) => [name, file] as const));
    else texts[name] = value;
  }
  if (files.length === 0) return texts;
  const form = new FormData();
  for (const [name, value] of Object.entries(texts))
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) form.append(name, textOf(value));
  for (const [name, file] of files) form.append(name, file, file.name);
  return form;
}

function textOf(value: unknown): string {
  if (value === null) return '';
  return Array.isArray(value) ? value.join(',') : String(value);
}
