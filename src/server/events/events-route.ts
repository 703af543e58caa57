import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { realUser, type Actor } from '../../engine/access/actor';
import { TooManyRequests, Unavailable } from '../errors/errors';
import { defineCall } from '../routing/define-call';
import { SlotLimiter } from '../limits/slot-limiter';
import type { Program } from '../program';
import { createDispatcher, type FilterVisible } from './dispatcher';
import { countStream } from './stream-count';

/** Milliseconds between heartbeats, which also check the sign-in again. */
const HEARTBEAT = 20_000;
/** Bytes that may be buffered for a slow client before its stream is ended; it reconnects and reloads. */
const MAX_BUFFERED_BYTES = 1_000_000;
/**
 * How long the rest of an ended stream may take to reach its client, in milliseconds, before the connection is closed.
 */
const END_TIMEOUT = 1_000;

export interface EventsOptions {
  /** Authenticates the caller; throws if there is no access. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** The current user; undefined once the sign-in has ended. Does not count as use of it. */
  currentActor(request: FastifyRequest): Promise<Actor | undefined>;
  readonly filterVisible: FilterVisible;
  /** Calls `listener` when anybody's access may have changed. Returns a function that unsubscribes. */
  onAccessChange(listener: () => void): () => void;
  heartbeat?: number;
  /** Called when a stream ends, with the name that its window knows from the header X-Stream. */
  onStreamEnd?(actor: Actor, stream: string): Promise<void>;
}

const eventsCall = defineCall({
  id: 'events',
  scope: ['*.list'],
  tag: 'Screens',
  summary:
    'Server-sent events of what you may see: resource, id and event. A record that you may no longer see is deleted for you. Where many records of a resource change at once, there is one event with the id null and the event changed: reload the resource.',
  answer: Type.String(),
  answerType: 'text/event-stream',
});

/**
 * `GET events`: server-sent events that the caller may see at that moment, as `{resource, id, event}`. The stream ends
 * with the sign-in and when the program stops.
 */
export function registerEvents(api: FastifyInstance, program: Program, options: EventsOptions): void {
  const open = new Set<() => void>();
  const maxStreams = program.settings.limits.streamsPerPerson;
  const streamSlots = new SlotLimiter(maxStreams === 0 ? Infinity : maxStreams);
  const join = createDispatcher(program, options.filterVisible);
  let isStopping = false;
  api.addHook('preClose', async () => {
    isStopping = true;
    for (const end of open) end();
  });

  api.get('/events', eventsCall, async (request, reply) => {
    let actor = await options.authenticate(request);
    if (isStopping) throw new Unavailable('Assay is stopping. Please try again in a moment.');
    const stream = reply.raw;
    // The client has already disconnected, and no further event would report that.
    if (stream.destroyed) {
      reply.hijack();
      return;
    }
    const leave = streamSlots.acquire(realUser(actor).id);
    if (!leave)
      throw new TooManyRequests(30, `You already have ${maxStreams} windows of Assay open. Please close some of them.`);
    reply.hijack();
    // Events wait for pending access checks: none overtakes a change of access.
    let turn: Promise<void> = Promise.resolve();
    const inTurn = (task: () => Promise<void>): void => {
      turn = turn.then(task).catch(fail);
    };
    const fail = (error: Error): void => {
      program.log.warn(`An event stream was ended: ${error.message}`);
      end();
    };
    const recheckAccess = () =>
      inTurn(async () => {
        if (stream.writableEnded) return;
        const now = await options.currentActor(request);
        if (now) actor = now;
        else end();
      });
    const write = (text: string): void => {
      if (stream.writableEnded) return;
      stream.write(text);
      if (stream.writableLength > MAX_BUFFERED_BYTES) end();
    };

    const name = randomUUID();
    const stopListening = join({
      name,
      async actor() {
        await turn;
        return stream.writableEnded ? undefined : actor;
      },
      write,
      fail,
    });
    const stopHearing = options.onAccessChange(recheckAccess);
    const heart = setInterval(() => {
      write(': still here\n\n');
      recheckAccess();
    }, options.heartbeat ?? HEARTBEAT);

    function end(): void {
      if (!open.delete(end)) return;
      clearInterval(heart);
      uncount();
      stopListening();
      stopHearing();
      leave!();
      // While the server stops, windows go on with another stream.
      if (!isStopping) {
        options.onStreamEnd?.(actor, name).catch((error: Error) => {
          program.log.warn(`That a window was closed could not be stored: ${error.message}`);
        });
      }
      stream.end();
      if (stream.destroyed) return;
      const cutTimer = setTimeout(() => stream.destroy(), END_TIMEOUT);
      stream.once('close', () => clearTimeout(cutTimer));
    }
    open.add(end);
    const uncount = countStream(program.live);
    stream.on('close', end);
    // An idle connection would delay the shutdown.
    stream.shouldKeepAlive = false;
    stream.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Stream': name,
    });
    write(': hello\n\n');
  });
}
