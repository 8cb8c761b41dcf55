<?php
// A receiver of webhooks in plain PHP: `php -S 127.0.0.1:8080 receiver.php`.

$key = base64_decode(substr((string) getenv('WEBHOOK_SECRET'), 6), true);
// The raw bytes: the signature is over what was sent, before anything parses it.
$body = (string) file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$at = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$given = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
$wanted = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", (string) $key, true));
$isSigned = false;
foreach ($given as $one) {
    $isSigned = hash_equals($wanted, $one) || $isSigned;
}
$isFresh = ctype_digit($at) && abs(time() - (int) $at) <= 300;
if ($key === false || $key === '' || !$isSigned || !$isFresh) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
// First store it, once for each $event['id']; work on it after the answer. Let it overwrite only what has a
// lower version than $event['resource']['version'], whether that came in a webhook or an answer.
error_log("{$event['type']} {$event['id']}");
http_response_code(204);
