import type { z } from 'zod';
import { Login, PasswordForgotten, PasswordReset, Signup, User } from './auth.ts';
import type { PlainOperation } from './openapi.ts';
import { refused } from './openapi-answers.ts';
import type { Shapes } from './openapi-schemas.ts';
import { Success } from './page.ts';

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
        ...refused(403, 'Incorrect email or password'),
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
      responses: { 200: { description: 'The page', content: page } },
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
  {
    route: 'GET /api/logout',
    tag: 'auth',
    operation: {
      operationId: 'auth.logout',
      summary: 'Log out and go to the landing page',
      responses: {
        200: { description: 'The landing page, after the redirect', content: page },
        302: { description: 'Redirect to the landing page' },
        ...refused(403, 'Requested by another site'),
        ...refused(429),
      },
      security: [{ session: [] }, {}],
    },
  },
];
