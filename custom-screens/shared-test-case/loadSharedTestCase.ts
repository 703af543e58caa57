import { fetchApi } from '../../src/app/session/api';

/** A related record, of which visitors get the title only. */
export type RelatedTitle = Readonly<Record<string, string>> | null | undefined;

/** A step with its cells that have a value. */
export interface SharedStep {
  readonly action?: string;
  readonly data?: string;
  readonly expected?: string;
}

/** A test case as visitors get it. */
export interface SharedTestCase {
  readonly name: string;
  /** HTML that the server has sanitised. */
  readonly description?: string | null;
  readonly test_data?: string | null;
  readonly pre_conditions?: string | null;
  readonly steps_to_reproduce?: string | null;
  /** Step by step, those of shared steps among them. */
  readonly steps?: readonly SharedStep[];
  /** Those that the steps show. */
  readonly pictures?: readonly { readonly name: string; readonly url: string }[];
  readonly expected_result?: string | null;
  readonly actual_result?: string | null;
  readonly video_url?: string | null;
  readonly screenshot?: { readonly name: string; readonly url: string } | null;
  readonly module?: RelatedTitle;
  readonly sub_module?: RelatedTitle;
  readonly type?: RelatedTitle;
  readonly task?: RelatedTitle;
  readonly action?: RelatedTitle;
  readonly device?: RelatedTitle;
  readonly result?: RelatedTitle;
  readonly priority?: RelatedTitle;
  readonly status?: RelatedTitle;
  readonly assign?: RelatedTitle;
  readonly created_by?: RelatedTitle;
}

/** The test case behind a link; null if the link is invalid or was revoked. Throws ApiError. */
export async function loadSharedTestCase(link: string, signal: AbortSignal): Promise<SharedTestCase | null> {
  const json = { sharable_link: link, authenticateUrl: 1 };
  const answer = await fetchApi<{ data: SharedTestCase | null }>('/sharable-test-case', {
    method: 'POST',
    json,
    anonymous: true,
    signal,
  });
  return answer?.data ?? null;
}

/** The title of a related record; empty if there is none. */
export function relatedTitle(relation: RelatedTitle): string {
  return Object.values(relation ?? {}).find((value) => typeof value === 'string') ?? '';
}
