;; Reads memory as fast as this machine can in 128 bits at a time and does as little as possible with it: nothing that
;; has to look at every byte can be faster.
(module
  (memory (import "bytes" "memory") 1)

  (func (export "stream") (param $at i32) (param $end i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $more
      (local.set $a (i32x4.add (local.get $a) (v128.load (local.get $at))))
      (local.set $b (i32x4.add (local.get $b) (v128.load offset=16 (local.get $at))))
      (local.set $c (i32x4.add (local.get $c) (v128.load offset=32 (local.get $at))))
      (local.set $d (i32x4.add (local.get $d) (v128.load offset=48 (local.get $at))))
      (br_if $more (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (i32x4.extract_lane 0 (i32x4.add
      (i32x4.add (local.get $a) (local.get $b))
      (i32x4.add (local.get $c) (local.get $d))))))
