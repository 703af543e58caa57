import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { ApiError } from '../../session/apiError';

/** Whether this browser can use passkeys here: only on HTTPS pages and localhost. */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window;
}

/** Creates a passkey. Throws `ApiError` with a message for the user if that fails. */
export async function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON }).catch(throwReadable);
}

/** Asks for a passkey. Throws `ApiError` with a message for the user if that fails. */
export async function promptForPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON }).catch(throwReadable);
}

function throwReadable(error: unknown): never {
  const { name } = error as Error;
  if (name === 'InvalidStateError') throw new ApiError(200, 'This device already has a passkey for your account.');
  if (name === 'SecurityError')
    throw new ApiError(200, 'Passkeys work only at the public address of this installation.');
  throw new ApiError(
    200,
    'No passkey was used: the request was cancelled or timed out, or this device has no passkey.',
  );
}
