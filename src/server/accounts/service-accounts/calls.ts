import { Type } from 'typebox';
import { dataOf, defineCall, idParams } from '../../routing/define-call';

/** The calls of service accounts that do not follow from their definition. */
export const serviceAccountCalls = {
  newToken: defineCall({
    id: 'new-service-account-token',
    tag: 'Service Accounts',
    summary: 'Give a service account a new token, which this answer alone contains; the former one ends',
    grant: { resource: 'service-accounts', action: 'edit' },
    params: idParams,
    answer: dataOf(
      Type.Object({
        token: Type.String({ description: 'Sent as Authorization: Bearer …' }),
        title: Type.String(),
        text: Type.String(),
      }),
    ),
  }),
};
