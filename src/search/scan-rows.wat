;; The first look at many vectors: estimates of the scalar products of one query with rows of bytes, up to the next
;; rows that may matter. Rows lie in groups of four, so that memory is read from front to back:
;;
;;   16 numbers of the first row, 16 of the second, of the third, of the fourth, then the next 16 of the first, …;
;;   four f32: how much one step of a row's bytes is worth; four f32: the length of what rounding took from a row.
;;
;; Of each two numbers of a row the first is stored with 128 added, as an unsigned byte, the second as a signed one.
;; Read as one word of 16 bits the two are
;;
;;   word = first + 256 × second,   and   word >> 8 = second,
;;
;; so that no byte has to be widened before it is multiplied:
;;
;;   first × a + second × b  =  word × a + (word >> 8) × (b − 256 × a)
;;
;; The query comes ready for that: for each 16 numbers eight words a, then eight words b − 256 × a. It may use
;; −127 to 127, so that these fit. Sums may wrap on their way: the end is right as long as it fits in 32 bits.
(module
  (memory (import "rows" "memory") 1)

  ;; Returns the first group of which a row can reach the threshold, and $end if there is none. At 0 are then its four
  ;; estimates, at 16 how far each may be off.
  (func (export "scan")
    (param $group i32)
    (param $end i32)
    (param $query i32)
    (param $queryEnd i32)
    (param $offset i32)     ;; what all sums have too much for the 128s
    (param $step f32)       ;; how much one step of the query is worth
    (param $rowMargin f32)  ;; a row's margin for each unit of length that it lost …
    (param $margin f32)     ;; … and for what the query lost
    (param $threshold f32)
    (result i32)
    (local $from i32) (local $at i32)
    (local $a v128) (local $b v128) (local $word v128)
    (local $row0 v128) (local $row1 v128) (local $row2 v128) (local $row3 v128)
    (local $estimates v128) (local $margins v128)

    (loop $groups
      (if (i32.ge_u (local.get $group) (local.get $end)) (then (return (local.get $end))))
      (local.set $from (local.get $group))
      (local.set $row0 (v128.const i32x4 0 0 0 0))
      (local.set $row1 (v128.const i32x4 0 0 0 0))
      (local.set $row2 (v128.const i32x4 0 0 0 0))
      (local.set $row3 (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))

      (loop $numbers
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))

        (local.set $word (v128.load (local.get $group)))
        (local.set $row0 (i32x4.add (local.get $row0) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $word (v128.load offset=16 (local.get $group)))
        (local.set $row1 (i32x4.add (local.get $row1) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $word (v128.load offset=32 (local.get $group)))
        (local.set $row2 (i32x4.add (local.get $row2) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $word (v128.load offset=48 (local.get $group)))
        (local.set $row3 (i32x4.add (local.get $row3) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $word) (local.get $a))
          (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $word) (i32.const 8)) (local.get $b)))))

        (local.set $group (i32.add (local.get $group) (i32.const 64)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $numbers (i32.lt_u (local.get $at) (local.get $queryEnd))))

      ;; Each row has four part sums: the upper two are added to the lower two, then those to each other.
      (local.set $row0 (i32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $row0) (local.get $row1))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $row0) (local.get $row1))))
      (local.set $row2 (i32x4.add
        (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $row2) (local.get $row3))
        (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $row2) (local.get $row3))))
      (local.set $row0 (i32x4.add
        (i8x16.shuffle 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27 (local.get $row0) (local.get $row2))
        (i8x16.shuffle 4 5 6 7 12 13 14 15 20 21 22 23 28 29 30 31 (local.get $row0) (local.get $row2))))

      (local.set $estimates (f32x4.mul
        (f32x4.mul
          (f32x4.convert_i32x4_s (i32x4.sub (local.get $row0) (i32x4.splat (local.get $offset))))
          (v128.load (local.get $group)))
        (f32x4.splat (local.get $step))))
      (local.set $margins (f32x4.add
        (f32x4.mul (v128.load offset=16 (local.get $group)) (f32x4.splat (local.get $rowMargin)))
        (f32x4.splat (local.get $margin))))

      (local.set $group (i32.add (local.get $group) (i32.const 32)))
      (br_if $groups (i32.eqz (v128.any_true (f32x4.ge
        (f32x4.add (local.get $estimates) (local.get $margins))
        (f32x4.splat (local.get $threshold)))))))

    (v128.store (i32.const 0) (local.get $estimates))
    (v128.store (i32.const 16) (local.get $margins))
    (local.get $from)))
