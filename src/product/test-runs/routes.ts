import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isFiles } from '../../engine/field-types/files';
import { parseBoundedJson } from '../../engine/values/bounded-json';
import { assertGranted } from '../../server/access/access-filter';
import type { RequestContext } from '../../server/access/request-context';
import { requestContextOf } from '../../server/accounts/session/caller-context';
import { Invalid } from '../../server/errors/errors';
import { Upload } from '../../server/files/upload';
import { runIdempotent } from '../../server/idempotency/run-idempotent';
import type { Program } from '../../server/program';
import { assertAccepted, type Body } from '../../server/records/write/input';
import { withStoredUploads, type RecordUploads } from '../../server/records/files/record-files';
import { typedApi } from '../../server/routing/define-call';
import { readBody, recordFormPermission } from '../../server/routing/read-body';
import { parseCallBody } from '../../server/routing/validate-call';
import { writeOnce } from '../write-once';
import { addMatchingTests, addTestsToRun, countMatchingTests, startRun } from './add-tests';
import { assignTestsOfRun } from './assign-tests';
import { foundResult, runCalls } from './calls';
import { copyRun, retest } from './copy-run';
import { checkGate, parseGateCondition } from './gate';
import { attempts, entries } from './definitions';
import { endRetest, recordResult, type Evidence, type FoundResult } from './record-result';
import { compareVersion, takeVersion } from './take-version';
import { loadTestTimes } from './test-times';
import { fieldOf } from '../../engine/definitions/accessors';

/**
 * Reads a tester's result, from JSON or from a form with files as `evidence` and steps as JSON. Throws Invalid,
 * UnsupportedMediaType and TooLarge.
 */
function readFoundResult(
  { registry }: RequestContext,
  { values, text }: Body,
): { found: FoundResult & Evidence; uploads: RecordUploads[] } {
  if (!text) return { found: parseCallBody(foundResult, values), uploads: [] };
  const definition = registry.getOrThrow(attempts);
  const { evidence, steps, elapsed_seconds, ...rest } = values;
  const files = ((evidence ?? []) as readonly unknown[]).filter((part) => part !== '');
  if (!files.every((part) => part instanceof Upload)) throw new Invalid({ evidence: 'Evidence must be files.' });
  const field = fieldOf(definition, 'evidence');
  if (isFiles(field)) for (const file of files) assertAccepted(field, file);
  const resultInput = parseCallBody(foundResult, {
    ...rest,
    ...(steps !== undefined && { steps: readJson(steps) }),
    ...(elapsed_seconds !== undefined && { elapsed_seconds: readNumber(elapsed_seconds) }),
  });
  return { found: { ...resultInput, evidence: files }, uploads: [{ definition, values: { evidence: files } }] };
}

/** The JSON of a form's text; the text itself if it is none, or too much, which the schema refuses. */
function readJson(text: unknown): unknown {
  try {
    return parseBoundedJson(String(text));
  } catch {
    return text;
  }
}

function readNumber(text: unknown): unknown {
  if (text === '') return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** Calls of test runs besides reading and changing them: adding tests, assigning, results, copies, the gate. */
export function registerTestRuns(app: FastifyInstance, program: Program): void {
  const api = typedApi(app);
  const contextOf = (request: FastifyRequest) => requestContextOf(program, request);
  const write = writeOnce(program);

  api.post('/test-runs/:id/tests', runCalls.addTests, (request, reply) =>
    write(request, reply, (context) => addTestsToRun(context, request.params.id, request.body)),
  );
  api.post('/test-runs/start', runCalls.start, (request, reply) => {
    reply.code(201);
    return write(request, reply, (context) => startRun(context, request.body));
  });
  api.get('/projects/:id/test-times', runCalls.times, async (request) => ({
    data: (await loadTestTimes(await contextOf(request), request.params.id)) as never,
  }));
  api.get('/test-runs/:id/matching', runCalls.matching, async (request) => ({
    data: await countMatchingTests(await contextOf(request), request.params.id),
  }));
  api.post('/test-runs/:id/matching', runCalls.addMatching, (request, reply) =>
    write(request, reply, (context) => addMatchingTests(context, request.params.id)),
  );
  api.post('/test-runs/:id/assign', runCalls.assign, (request, reply) =>
    write(request, reply, (context) => assignTestsOfRun(context, request.params.id, request.body)),
  );
  api.post('/test-runs/:id/copy', runCalls.copy, (request, reply) => {
    reply.code(201);
    return write(request, reply, (context) => copyRun(context, request.params.id, request.body));
  });
  api.post('/test-runs/retest', runCalls.retest, (request, reply) => {
    reply.code(201);
    return write(request, reply, (context) => retest(context, request.body));
  });
  api.post('/run-entries/end-retest', runCalls.endRetest, (request, reply) =>
    write(request, reply, (context) => endRetest(context, request.body)),
  );
  api.get('/test-runs/:id/gate', runCalls.gate, async (request) => {
    const condition = parseGateCondition(request.query.condition);
    return { data: await checkGate(await contextOf(request), request.params.id, condition) };
  });
  const resultCall = { ...runCalls.result, config: { ...runCalls.result.config, forms: true } };
  api.put('/run-entries/:id/result', resultCall, async (request, reply) => {
    const context = await contextOf(request);
    assertGranted(context, context.registry.getOrThrow(entries), 'edit');
    const body = await readBody(request, recordFormPermission(context.actor, context.registry.getOrThrow(attempts)));
    const { found: resultInput, uploads } = readFoundResult(context, body);
    // Files are stored before the transaction of a call with an Idempotency-Key starts.
    return (await withStoredUploads(context, uploads, () =>
      runIdempotent(context, request, reply, body, async (idempotentContext) => ({
        data: await recordResult(idempotentContext, request.params.id, resultInput),
      })),
    )) as never;
  });
  api.get('/run-entries/:id/version', runCalls.compareVersion, async (request) => ({
    data: await compareVersion(await contextOf(request), request.params.id),
  }));
  api.post('/run-entries/:id/version', runCalls.takeVersion, (request, reply) =>
    write(request, reply, (context) => takeVersion(context, request.params.id)),
  );
}
