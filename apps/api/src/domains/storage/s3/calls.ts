import { putBucketAcl, putObjectAcl, sendBucketAcl, sendObjectAcl } from './acl-calls.ts';
import { deleteBucket, headBucket, makeBucket, sendBuckets, sendLocation } from './bucket-calls.ts';
import { copyObject } from './copy-object.ts';
import { copyPart } from './copy-part.ts';
import { deleteCors, putCors, sendCors } from './cors-calls.ts';
import { deleteObject, deleteObjects } from './delete-objects.ts';
import { getObject } from './get-object.ts';
import { deleteLifecycle, putLifecycle, sendLifecycle } from './lifecycle-calls.ts';
import { listObjects, listObjectsV2 } from './list-objects.ts';
import { listUploads } from './list-uploads.ts';
import { listVersions } from './list-versions.ts';
import { abort, begin, complete, putPart, sendParts } from './multipart-calls.ts';
import { deleteTags, putTags, sendAttributes, sendTags } from './object-tags.ts';
import { deletePolicy, putPolicy, sendPolicy, sendPolicyStatus } from './policy-calls.ts';
import { putObject } from './put-object.ts';
import type { CallRow } from './s3-call.ts';
import { putVersioning, sendVersioning } from './version-calls.ts';

/** What an S3 client can ask for. */
export const CALLS: readonly CallRow[] = [
  { name: 'ListBuckets', method: 'GET', level: 'account', access: 'read', answer: sendBuckets },
  { name: 'CreateBucket', method: 'PUT', level: 'bucket-name', access: 'write', answer: makeBucket },
  { name: 'HeadBucket', method: 'HEAD', level: 'bucket', access: 'read', answer: headBucket },
  { name: 'DeleteBucket', method: 'DELETE', level: 'bucket', access: 'write', answer: deleteBucket },
  {
    ...{ name: 'GetBucketLocation', method: 'GET', level: 'bucket', query: 'location' },
    ...{ access: 'read', answer: sendLocation },
  },
  { name: 'ListObjects', method: 'GET', level: 'bucket', access: 'read', answer: listObjects },
  {
    ...{ name: 'ListObjectsV2', method: 'GET', level: 'bucket', query: 'list-type' },
    ...{ access: 'read', answer: listObjectsV2 },
  },
  {
    ...{ name: 'DeleteObjects', method: 'POST', level: 'bucket', query: 'delete' },
    ...{ access: 'write', answer: deleteObjects },
  },
  {
    ...{ name: 'GetBucketVersioning', method: 'GET', level: 'bucket', query: 'versioning' },
    ...{ access: 'read', answer: sendVersioning },
  },
  {
    ...{ name: 'PutBucketVersioning', method: 'PUT', level: 'bucket', query: 'versioning' },
    ...{ access: 'write', answer: putVersioning },
  },
  {
    ...{ name: 'ListObjectVersions', method: 'GET', level: 'bucket', query: 'versions' },
    ...{ access: 'read', answer: listVersions },
  },
  {
    ...{ name: 'GetBucketCors', method: 'GET', level: 'bucket', query: 'cors' },
    ...{ access: 'read', answer: sendCors },
  },
  {
    ...{ name: 'PutBucketCors', method: 'PUT', level: 'bucket', query: 'cors' },
    ...{ access: 'write', answer: putCors },
  },
  {
    ...{ name: 'DeleteBucketCors', method: 'DELETE', level: 'bucket', query: 'cors' },
    ...{ access: 'write', answer: deleteCors },
  },
  {
    ...{ name: 'GetBucketLifecycleConfiguration', method: 'GET', level: 'bucket', query: 'lifecycle' },
    ...{ access: 'read', answer: sendLifecycle },
  },
  {
    ...{ name: 'PutBucketLifecycleConfiguration', method: 'PUT', level: 'bucket', query: 'lifecycle' },
    ...{ access: 'write', answer: putLifecycle },
  },
  {
    ...{ name: 'DeleteBucketLifecycle', method: 'DELETE', level: 'bucket', query: 'lifecycle' },
    ...{ access: 'write', answer: deleteLifecycle },
  },
  {
    ...{ name: 'GetBucketPolicy', method: 'GET', level: 'bucket', query: 'policy' },
    ...{ access: 'read', answer: sendPolicy },
  },
  {
    ...{ name: 'GetBucketPolicyStatus', method: 'GET', level: 'bucket', query: 'policyStatus' },
    ...{ access: 'read', answer: sendPolicyStatus },
  },
  {
    ...{ name: 'PutBucketPolicy', method: 'PUT', level: 'bucket', query: 'policy' },
    ...{ access: 'write', answer: putPolicy },
  },
  {
    ...{ name: 'DeleteBucketPolicy', method: 'DELETE', level: 'bucket', query: 'policy' },
    ...{ access: 'write', answer: deletePolicy },
  },
  {
    ...{ name: 'GetBucketAcl', method: 'GET', level: 'bucket', query: 'acl' },
    ...{ access: 'read', answer: sendBucketAcl },
  },
  {
    ...{ name: 'PutBucketAcl', method: 'PUT', level: 'bucket', query: 'acl' },
    ...{ access: 'write', answer: putBucketAcl },
  },
  {
    ...{ name: 'GetObjectAcl', method: 'GET', level: 'object', knowsVersions: true, query: 'acl' },
    ...{ access: 'read', answer: sendObjectAcl },
  },
  {
    ...{ name: 'PutObjectAcl', method: 'PUT', level: 'object', query: 'acl' },
    ...{ access: 'write', answer: putObjectAcl },
  },
  { name: 'PutObject', method: 'PUT', level: 'object', access: 'write', answer: putObject },
  { name: 'CopyObject', method: 'PUT', level: 'object', copies: true, access: 'write', answer: copyObject },
  {
    name: 'GetObject',
    knowsVersions: true,
    method: 'GET',
    level: 'object',
    access: 'read',
    isForAnyone: true,
    answer: getObject,
  },
  {
    name: 'HeadObject',
    knowsVersions: true,
    method: 'HEAD',
    level: 'object',
    access: 'read',
    isForAnyone: true,
    answer: getObject,
  },
  {
    ...{
      name: 'GetObjectAttributes',
      method: 'GET',
      level: 'object',
      knowsVersions: true,
      query: 'attributes',
    },
    ...{ access: 'read', answer: sendAttributes },
  },
  {
    ...{ name: 'CreateMultipartUpload', method: 'POST', level: 'object', query: 'uploads' },
    ...{ access: 'write', answer: begin },
  },
  {
    ...{ name: 'UploadPart', method: 'PUT', level: 'object', query: 'uploadId' },
    ...{ access: 'write', answer: putPart },
  },
  {
    ...{ name: 'UploadPartCopy', method: 'PUT', level: 'object', query: 'uploadId', copies: true },
    ...{ access: 'write', answer: copyPart },
  },
  {
    ...{ name: 'ListParts', method: 'GET', level: 'object', query: 'uploadId' },
    ...{ access: 'read', answer: sendParts },
  },
  {
    ...{ name: 'CompleteMultipartUpload', method: 'POST', level: 'object', query: 'uploadId' },
    ...{ access: 'write', answer: complete },
  },
  {
    ...{ name: 'AbortMultipartUpload', method: 'DELETE', level: 'object', query: 'uploadId' },
    ...{ access: 'write', answer: abort },
  },
  {
    ...{ name: 'ListMultipartUploads', method: 'GET', level: 'bucket', query: 'uploads' },
    ...{ access: 'read', answer: listUploads },
  },
  {
    name: 'DeleteObject',
    knowsVersions: true,
    method: 'DELETE',
    level: 'object',
    access: 'write',
    answer: deleteObject,
  },
  {
    ...{ name: 'GetObjectTagging', method: 'GET', level: 'object', knowsVersions: true, query: 'tagging' },
    ...{ access: 'read', answer: sendTags },
  },
  {
    ...{ name: 'PutObjectTagging', method: 'PUT', level: 'object', knowsVersions: true, query: 'tagging' },
    ...{ access: 'write', answer: putTags },
  },
  {
    ...{
      name: 'DeleteObjectTagging',
      method: 'DELETE',
      level: 'object',
      knowsVersions: true,
      query: 'tagging',
    },
    ...{ access: 'write', answer: deleteTags },
  },
];

/** What names another call where a query has it; what none of the table has, is not done here. */
export const SUBRESOURCES: ReadonlySet<string> = new Set(
  (
    'abac accelerate acl analytics attributes cors delete encryption intelligent-tiering inventory legal-hold lifecycle ' +
    'list-type location logging metadataConfiguration metadataInventoryTable metadataJournalTable metadataTable metrics ' +
    'notification object-lock ownershipControls ' +
    'policy policyStatus publicAccessBlock renameObject replication requestPayment restore retention select session ' +
    'tagging torrent uploadId uploads versioning versions website'
  ).split(' '),
);
