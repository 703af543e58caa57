import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { reportError } from '../../data/ErrorToasts';
import { fetchApi } from '../../session/api';
import { useApi } from '../../session/apiClient';

export type Channel = 'none' | 'notice' | 'mail' | 'digest';

/** A kind of notification, with how the user is told of it. */
export interface NoticeKind {
  key: string;
  label: string;
  description: string | null;
  channel: Channel;
  usual: Channel;
}

/** How the user is told of what, and when their digest comes. */
export interface NoticeChoices {
  kinds: NoticeKind[];
  /** 0 to 23, in the time zone. */
  digest_hour: number;
  /** 0 for Sunday to 6; null: every day. */
  digest_day: number | null;
  /** null: that of the company. */
  time_zone: string | null;
  company_time_zone: string;
  address_confirmed: boolean;
}

/** The changed settings; the rest stays. */
export interface NoticeChange {
  channels?: Record<string, Channel>;
  digest_hour?: number;
  digest_day?: number | null;
  time_zone?: string | null;
}

const key = ['notice-choices'];
const path = '/preferences/notifications';

/** The user's choices, and how to change them: at once, one after the other, and taken back with a message if it fails. */
export function useNoticeChoices() {
  const ask = useApi();
  const queryClient = useQueryClient();
  const query = useQuery({
    queryKey: key,
    queryFn: async () => (await fetchApi<{ data: NoticeChoices }>(path)).data,
    meta: { quiet: true },
  });
  const { mutate } = useMutation({
    scope: { id: 'notice-choices' },
    mutationFn: (change: NoticeChange) => fetchApi(path, { method: 'PATCH', json: change }, ask),
    onMutate: async (change: NoticeChange) => {
      await queryClient.cancelQueries({ queryKey: key });
      queryClient.setQueryData<NoticeChoices>(key, (choices) => choices && withChange(choices, change));
    },
    onError: (error) => {
      reportError(new Error(`Your choice was not saved: ${error.message}`));
      return queryClient.invalidateQueries({ queryKey: key });
    },
  });
  return { ...query, change: mutate };
}

function withChange(choices: NoticeChoices, { channels = {}, ...rest }: NoticeChange): NoticeChoices {
  const kinds = choices.kinds.map((kind) => ({ ...kind, channel: channels[kind.key] ?? kind.channel }));
  return { ...choices, ...rest, kinds };
}
