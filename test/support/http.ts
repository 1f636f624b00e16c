import {
  httpCall,
  type ServiceAnswer,
  type ServiceCall,
} from '../../src/testing/service/http-call.js';

export type Answer<Body = Record<string, unknown>> = ServiceAnswer<Body>;
export type Call = ServiceCall;

/** By origin: looks at each answer of a service, and throws at one that should not be. */
export const observers = new Map<
  string,
  (method: string, url: string, answer: Answer<unknown>) => void
>();

/** A call whose answer is looked at. */
export async function call<Body = Record<string, unknown>>(
  url: string,
  request: Call = {},
): Promise<Answer<Body>> {
  const answer = await httpCall<Body>(url, request);
  observers.get(new URL(url).origin)?.(request.method ?? 'GET', url, answer);
  return answer;
}
