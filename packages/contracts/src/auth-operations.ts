import type { z } from 'zod';
import { EmailToken, Login, PasswordForgotten, PasswordReset, Signup, User } from './auth.ts';
import type { PlainOperation } from './openapi.ts';
import { refused } from './openapi-answers.ts';
import type { Shapes } from './openapi-schemas.ts';
import { Success } from './page.ts';
import { PasskeyLogin, PasskeyOptions, SecondFactor } from './second-factors.ts';

const page = { 'text/html': { schema: { type: 'string' } } };
/** Which form it opens: that to log in, where nothing or anything else is said. */
const mode = { name: 'mode', in: 'query', required: false, schema: { type: 'string', enum: ['signup'] } };
const returnTo = { name: 'returnTo', in: 'query', required: false, schema: { type: 'string' } };

const token = { name: 'token', in: 'query', required: true, schema: { type: 'string' } };
const OLD_LINK = 'The link was used, or is too old';

/** Refusals of a form are the page again; those of JSON are the body of all errors. */
const refusedBodies = {
  ...refused(400, 'Malformed'),
  ...refused(413),
  ...refused(415, 'Neither JSON nor a form'),
  ...refused(429, 'Too many attempts'),
};

function body(input: z.ZodType, shapes: Shapes) {
  const content = { schema: shapes.refer(input, 'input') };
  return {
    required: true,
    content: { 'application/json': content, 'application/x-www-form-urlencoded': content },
  };
}

function entered(status: 200 | 201, description: string, shapes: Shapes) {
  return {
    [status]: { description, content: { 'application/json': { schema: shapes.refer(User, 'output') } } },
    303: { description: 'Redirect, in answer to a form' },
  };
}

function taken(description: string, shapes: Shapes) {
  const json = { 'application/json': { schema: shapes.refer(Success, 'output') } };
  return { 200: { description, content: { ...json, ...page } } };
}

/** What the links in mails of a changed address lead to. */
function emailOperations(kind: 'confirm' | 'undo', shapes: Shapes): PlainOperation[] {
  const path = kind === 'confirm' ? '/api/login/email' : '/api/login/email/undo';
  const what =
    kind === 'confirm' ? 'confirm a new address' : 'undo the change of an address; logs everybody out';
  return [
    {
      route: `GET ${path}`,
      tag: 'auth',
      operation: {
        operationId: `auth.${kind}EmailPage`,
        summary: `The page to ${what}`,
        parameters: [token],
        responses: {
          200: { description: 'The page', content: page },
          ...refused(403, OLD_LINK),
          ...refused(429),
        },
        security: [],
      },
    },
    {
      route: `POST ${path}`,
      tag: 'auth',
      operation: {
        operationId: `auth.${kind}Email`,
        summary: `By the link of a mail, ${what}`,
        requestBody: body(EmailToken, shapes),
        responses: {
          ...taken('Done', shapes),
          303: { description: 'Redirect to the page to set a new password, in answer to a form' },
          ...refusedBodies,
          ...refused(403, OLD_LINK),
          ...refused(409, 'An account with this address exists'),
        },
        security: [],
      },
    },
  ];
}

/** Sign-in, sign-up and sign-out, as OpenAPI writes them: pages that a browser goes to, hence no rows of the contract. */
export const authOperations = (shapes: Shapes): PlainOperation[] => [
  {
    route: 'GET /api/login',
    tag: 'auth',
    operation: {
      operationId: 'auth.loginPage',
      summary: 'The page to log in or sign up',
      parameters: [mode, returnTo],
      responses: {
        200: { description: 'The page', content: page },
        303: { description: 'Already logged in: redirect to `returnTo`' },
        ...refused(400, 'Malformed'),
      },
      security: [],
    },
  },
  {
    route: 'POST /api/login',
    tag: 'auth',
    operation: {
      operationId: 'auth.login',
      summary: 'Log in; sets the session cookie',
      requestBody: body(Login, shapes),
      responses: {
        ...entered(200, 'Logged in', shapes),
        ...refusedBodies,
        ...refused(
          403,
          'Incorrect email or password, or a second factor is asked for (`SECOND_FACTOR_REQUIRED`)',
        ),
      },
      security: [],
    },
  },
  {
    route: 'GET /api/login/as',
    tag: 'auth',
    operation: {
      operationId: 'auth.signInAs',
      summary:
        "Exchange an admin's session for one of a user who allows that; `admin.signInAs` gives the address",
      parameters: [{ ...token, name: 'ticket' }],
      responses: {
        200: { description: 'The console, after the redirect', content: page },
        303: { description: 'Redirect to the console' },
        ...refused(403, 'The user does not allow it, or the address is more than a minute old'),
        ...refused(429),
      },
      security: [],
    },
  },
  {
    route: 'GET /api/login/second-factor',
    tag: 'auth',
    operation: {
      operationId: 'auth.secondFactorPage',
      summary: 'The page for the code of an authenticator app, after the right password',
      parameters: [returnTo],
      responses: {
        200: { description: 'The page', content: page },
        303: {
          description: 'Redirect to the page to log in, where no password was given in the last ten minutes',
        },
        ...refused(400, 'Malformed'),
      },
      security: [],
    },
  },
  {
    route: 'POST /api/login/second-factor',
    tag: 'auth',
    operation: {
      operationId: 'auth.secondFactor',
      summary: 'Log in by a code, after the right password in the same browser; sets the session cookie',
      requestBody: body(SecondFactor, shapes),
      responses: {
        ...entered(200, 'Logged in', shapes),
        ...refusedBodies,
        ...refused(403, 'The code is wrong or was already used'),
      },
      security: [],
    },
  },
  {
    route: 'POST /api/login/passkey/options',
    tag: 'auth',
    operation: {
      operationId: 'auth.passkeyOptions',
      summary: 'What a passkey is to sign to log in; after the right password, one of that account',
      responses: {
        200: {
          description: 'Options of the browser',
          content: { 'application/json': { schema: shapes.refer(PasskeyOptions, 'output') } },
        },
        ...refusedBodies,
      },
      security: [],
    },
  },
  {
    route: 'POST /api/login/passkey',
    tag: 'auth',
    operation: {
      operationId: 'auth.passkeyLogin',
      summary: 'Log in by a passkey; sets the session cookie',
      requestBody: body(PasskeyLogin, shapes),
      responses: {
        ...entered(200, 'Logged in', shapes),
        ...refusedBodies,
        ...refused(403, 'The passkey could not be confirmed'),
      },
      security: [],
    },
  },
  {
    route: 'GET /api/signup',
    tag: 'auth',
    operation: {
      operationId: 'auth.signupPage',
      summary: 'The page to sign up',
      parameters: [returnTo],
      responses: {
        200: { description: 'The page, after the redirect', content: page },
        303: { description: 'Redirect to the page' },
        ...refused(400, 'Malformed'),
      },
      security: [],
    },
  },
  {
    route: 'POST /api/signup',
    tag: 'auth',
    operation: {
      operationId: 'auth.signup',
      summary: 'Create an account; sets the session cookie, and starts the 14-day trial where plans are sold',
      requestBody: body(Signup, shapes),
      responses: {
        ...entered(201, 'Created', shapes),
        ...refusedBodies,
        ...refused(403, 'Sign-ups are closed, and there is no invitation for this address'),
        ...refused(409, 'An account with this email already exists'),
      },
      security: [],
    },
  },
  {
    route: 'GET /api/login/forgot',
    tag: 'auth',
    operation: {
      operationId: 'auth.forgotPage',
      summary: 'The page to ask for a new password',
      responses: { 200: { description: 'The page', content: page }, ...refused(429) },
      security: [],
    },
  },
  {
    route: 'POST /api/login/forgot',
    tag: 'auth',
    operation: {
      operationId: 'auth.forgot',
      summary:
        'Have a link sent by which a new password is set; the answer never says whether there is an account',
      requestBody: body(PasswordForgotten, shapes),
      responses: {
        ...taken('Taken', shapes),
        ...refusedBodies,
        ...refused(503, 'This server sends no mail'),
      },
      security: [],
    },
  },
  {
    route: 'GET /api/login/reset',
    tag: 'auth',
    operation: {
      operationId: 'auth.resetPage',
      summary: 'The page to set a new password',
      parameters: [token],
      responses: {
        200: { description: 'The page', content: page },
        ...refused(403, OLD_LINK),
        ...refused(429),
      },
      security: [],
    },
  },
  {
    route: 'POST /api/login/reset',
    tag: 'auth',
    operation: {
      operationId: 'auth.reset',
      summary: 'Set a new password by a link; ends all sessions and access tokens',
      requestBody: body(PasswordReset, shapes),
      responses: {
        ...taken('Set', shapes),
        303: { description: 'Redirect to the page to log in, in answer to a form' },
        ...refusedBodies,
        ...refused(403, OLD_LINK),
      },
      security: [],
    },
  },
  ...(['confirm', 'undo'] as const).flatMap((kind) => emailOperations(kind, shapes)),
  {
    route: 'GET /api/logout',
    tag: 'auth',
    operation: {
      operationId: 'auth.logout',
      summary: 'Log out and go to the landing page, or to `returnTo`',
      parameters: [returnTo],
      responses: {
        200: { description: 'The page, after the redirect', content: page },
        302: { description: 'Redirect to `returnTo`, else to the landing page' },
        ...refused(403, 'Requested by another site'),
        ...refused(429),
      },
      security: [{ session: [] }, {}],
    },
  },
];
